// The export of orders in a form that Excel and WPS open correctly: the API's own table is for
// programs. Amounts are in the currency's own unit; times are in the operator's zone.

import { zoneName } from "../base/format";
import { hasText, text } from "../ui/texts";
import { CsvReader } from "./csv_reader";
import { asText, byteOrderMark, csvLine, localTime, quoted } from "./csv_writer";
import { majorUnits } from "./fields";
import { named, words } from "./texts";

type Row = Record<string, string>;
type Column = { head: () => string; value: (row: Row) => string };

const plain = (name: string) => (row: Row) => quoted(row[name] ?? "");
const number = (name: string) => (row: Row) => (row[name] ? asText(bare(row[name])) : "");
const amount = (name: string) => (row: Row) => majorUnits(Number(row[name]), row.currency ?? "CNY");
const time = (name: string) => (row: Row) => (row[name] ? localTime(row[name]) : "");
const withZone = (head: string) => `${head} (${zoneName()})`;

const columns: Column[] = [
  { head: () => text("order_number"), value: number("order_id") },
  { head: () => words("head_state"), value: ({ state }) => quoted(stateName(state ?? "")) },
  { head: () => words("head_item"), value: plain("item") },
  { head: () => words("head_buyer"), value: plain("name") },
  { head: () => words("head_phone"), value: number("phone") },
  { head: () => words("head_quantity"), value: plain("quantity") },
  { head: () => text("order_price"), value: amount("price_cents") },
  { head: () => words("head_total"), value: amount("total_cents") },
  { head: () => words("field_currency"), value: plain("currency") },
  { head: () => withZone(text("order_created")), value: time("created_at") },
  { head: () => withZone(words("held_until")), value: time("expires_at") },
  { head: () => withZone(text("order_paid")), value: time("paid_at") },
  { head: () => words("head_sale"), value: plain("sale_name") },
  { head: () => words("number_of_sale"), value: number("sale_id") },
  { head: () => words("number_of_buyer"), value: number("buyer_id") },
  { head: () => words("order_delivery"), value: ({ delivery }) => quoted(deliveryName(delivery)) },
  { head: () => words("carrier"), value: plain("carrier") },
  { head: () => words("tracking_number"), value: number("tracking_number") },
  { head: () => words("contact_name"), value: plain("contact_name") },
  { head: () => words("contact_phone"), value: number("contact_phone") },
  { head: () => words("contact_address"), value: plain("contact_address") },
  { head: () => words("contact_note"), value: plain("contact_note") },
];

// From the API's table, piece by piece, to a spreadsheet's.
export class Spreadsheet {
  #reader = new CsvReader();
  #names: string[] | null = null;

  begin(): string {
    return byteOrderMark + csvLine(columns.map(({ head }) => quoted(head())));
  }

  turn(piece: string): string {
    let out = "";
    for (const cells of this.#reader.read(piece)) {
      if (this.#names === null) this.#names = cells;
      else out += this.#lineOfRow(cells);
    }
    return out;
  }

  get complete(): boolean {
    return this.#names !== null && this.#reader.complete;
  }

  #lineOfRow(cells: string[]): string {
    const row = Object.fromEntries(this.#names!.map((name, i) => [name, cells[i] ?? ""]));
    return csvLine(columns.map(({ value }) => value(row)));
  }
}

// The API puts an apostrophe before texts that a spreadsheet could take for a formula.
const bare = (words: string) => words.replace(/^'/, "");

function stateName(state: string): string {
  const key = `state_${state}`;
  return hasText(key) ? text(key) : state;
}

const deliveryName = (state = "") => (state ? named("order_delivery", state) : "");

// Reads the export to its end. Throws when it breaks off: half a table must not look like a whole
// one.
export async function fetchSpreadsheet(response: Response): Promise<Blob> {
  const sheet = new Spreadsheet();
  const decoder = new TextDecoder();
  const reader = response.body!.getReader();
  const parts: BlobPart[] = [sheet.begin()];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    // A browser may keep blobs on the disk, strings only in memory.
    parts.push(new Blob([sheet.turn(decoder.decode(value, { stream: true }))]));
  }
  if (!sheet.complete) throw new Error("the export broke off");
  return new Blob(parts, { type: "text/csv;charset=utf-8" });
}
