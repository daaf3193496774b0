// A table that Excel and WPS open correctly. A byte order mark says that it is UTF-8; ids stay
// text, because a spreadsheet would round them.

export const byteOrderMark = "\uFEFF";

export const csvLine = (cells: string[]) => `${cells.join(",")}\r\n`;

export const quoted = (words: string) =>
  /[",;\t\r\n]/.test(words) ? `"${words.replace(/"/g, '""')}"` : words;

// For texts that other people may have written: an apostrophe keeps a spreadsheet from taking them
// for a formula. In many languages spreadsheets split at semicolons, in the middle of our cells.
export const harmless = (words: string) =>
  quoted(
    words
      .replace(/^(?=[=+\-@\t\r\n＝＋－＠])/, "'")
      .replace(/([;\t\r\n])(?=["\s]*[=+\-@＝＋－＠])/g, "$1'"),
  );

export const asText = (name: string) => quoted(`="${name.replace(/"/g, "")}"`);

// In a form that every spreadsheet recognises as a time, in any language.
export function localTime(instant: string | number): string {
  const at = new Date(instant);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${date} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":")}`;
}
