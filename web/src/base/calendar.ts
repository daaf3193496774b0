// The start of a sale as a calendar file (RFC 5545), with an alarm before it.

const alarmMinutes = 5;
const mostBytes = 75;

export type Entry = { id: string; title: string; starts: string; ends: string | null; url: string };

export function calendarFile(entry: Entry, now: number): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Sluice//Sale//EN",
    "BEGIN:VEVENT",
    `UID:sale-${entry.id}@sluice`,
    `DTSTAMP:${stamp(now)}`,
    `DTSTART:${stamp(Date.parse(entry.starts))}`,
    ...(entry.ends ? [`DTEND:${stamp(Date.parse(entry.ends))}`] : []),
    `SUMMARY:${escaped(entry.title)}`,
    `URL:${entry.url}`,
    `DESCRIPTION:${escaped(entry.url)}`,
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    `DESCRIPTION:${escaped(entry.title)}`,
    `TRIGGER:-PT${alarmMinutes}M`,
    "END:VALARM",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

const stamp = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");

const escaped = (text: string) => text.replace(/([\\;,])/g, "\\$1").replace(/\r?\n/g, "\\n");

// No line is longer than 75 bytes; a continuation begins with a space. A character is never cut in
// two.
function folded(line: string): string {
  const encoder = new TextEncoder();
  let bytes = 0;
  let result = "";
  for (const letter of line) {
    const size = encoder.encode(letter).length;
    if (bytes + size > mostBytes) {
      result += "\r\n ";
      bytes = 1;
    }
    result += letter;
    bytes += size;
  }
  return result;
}
