// Reads the list of a sale before it is sent, as the server will read it. The server decides in the
// end; it also knows when two spellings are one phone.

import { CsvReader } from "./csv_reader";

export type Mistake = "columns" | "neither" | "quotes";

export type BuyerList = {
  column: string;
  // Different entries, as they are sent.
  entries: string[];
  phones: number;
  ids: number;
  // The first mistakes, by the numbers of their lines.
  wrong: { line: number; mistake: Mistake }[];
};

export const mostListed = 1_000_000;
const mostMistakes = 20;
const leastIdDigits = 16;
const unnamed = "phone_or_id";
const namesOfIds = ["id", "ids", "buyer_id", "user_id"];

export function readBuyerList(text: string): BuyerList {
  const { rows, complete } = rowsOf(text.replace(/^\uFEFF/, ""));
  const list: BuyerList = { column: unnamed, entries: [], phones: 0, ids: 0, wrong: [] };
  const seen = new Set<string>();
  for (const [index, row] of rows.entries()) {
    if (list.wrong.length === mostMistakes) break;
    const entry = bare(row[0] ?? "");
    const mistake = take(list, seen, row, entry, index === 0);
    if (mistake) list.wrong.push({ line: index + 1, mistake });
  }
  if (!complete && list.wrong.length < mostMistakes)
    list.wrong.push({ line: rows.length + 1, mistake: "quotes" });
  list.entries = [...seen];
  return list;
}

// Most files have no quotes, and a long one is read much faster then.
function rowsOf(text: string): { rows: string[][]; complete: boolean } {
  if (!text.includes('"'))
    return { rows: text.split(/\r?\n/).map((line) => line.split(",")), complete: true };
  const reader = new CsvReader();
  const rows = reader.read(text.endsWith("\n") ? text : `${text}\n`);
  return { rows, complete: reader.complete };
}

function take(
  list: BuyerList,
  seen: Set<string>,
  row: string[],
  entry: string,
  first: boolean,
): Mistake | null {
  if (row.length > 1) return "columns";
  if (entry === "") return null;
  if (first && !/\d/.test(entry)) {
    list.column = namesOfIds.includes(entry.toLowerCase()) ? "id" : columnOf(entry);
    return null;
  }
  const kind = kindOf(entry, list.column);
  if (!kind) return "neither";
  if (!seen.has(entry)) list[kind]++;
  seen.add(entry);
  return null;
}

const columnOf = (name: string) => (/^(phones?|mobile)$/i.test(name) ? "phone" : unnamed);

const bare = (cell: string) => cell.replace(/^'/, "").replace(/[ \t-]/g, "");

function kindOf(entry: string, column: string): "phones" | "ids" | null {
  const isId = /^[1-9]\d{0,18}$/.test(entry) && BigInt(entry) < 2n ** 63n;
  if (column === "id") return isId ? "ids" : null;
  if (column === unnamed && isId && entry.length >= leastIdDigits) return "ids";
  return /^\+?\d{5,20}$/.test(entry) ? "phones" : null;
}

// Pieces that are each as small as any other request.
export function piecesOf({ column, entries }: BuyerList, most = 32 * 1024): string[] {
  const pieces: string[] = [];
  let piece = `${column}\n`;
  for (const entry of entries) {
    if (piece.length + entry.length >= most) {
      pieces.push(piece);
      piece = `${column}\n`;
    }
    piece += `${entry}\n`;
  }
  return [...pieces, piece];
}
