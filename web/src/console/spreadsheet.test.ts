import { describe, expect, it } from "vitest";

import { CsvReader } from "./csv_reader";
import { fetchSpreadsheet, Spreadsheet } from "./spreadsheet";

const head =
  "order_id,state,sale_id,item_id,item,buyer_id,phone,name,quantity,price_cents,total_cents," +
  "currency,created_at,expires_at,paid_at,ticket,sale_name,delivery,carrier,tracking_number,contact_name,contact_phone,contact_address,contact_note\r\n";
const row =
  '123456789012345678,paid,223456789012345678,3,"Tea, ""green"" 茶",423456789012345678,' +
  "'+8613900000001,'=SUM(1),2,1990,3980,CNY,2026-11-11T12:00:00.000Z," +
  '2026-11-11T12:15:00.000Z,,abc,"双十一, ""evening""",shipped,顺丰,00123,李雷,139 0000,"1 Main St, 北京",\r\n';

function turned(table: string, size = table.length): string[] {
  const sheet = new Spreadsheet();
  let out = sheet.begin();
  for (let i = 0; i < table.length; i += size) out += sheet.turn(table.slice(i, i + size));
  expect(sheet.complete).toBe(true);
  return out.split("\r\n");
}

describe("CSV", () => {
  it("is read wherever a piece ends", () => {
    const reader = new CsvReader();
    const rows = [...'a,"b ""c"", d\ne"\r\n,\r\n'].flatMap((letter) => reader.read(letter));
    expect(rows).toEqual([
      ["a", 'b "c", d\ne'],
      ["", ""],
    ]);
    expect(reader.complete).toBe(true);
    reader.read('x,"y');
    expect(reader.complete).toBe(false);
  });
});

describe("the table for spreadsheets", () => {
  it("says that it is UTF-8, and names its columns", () => {
    const [first] = turned(head);
    expect(first).toMatch(/^\uFEFFNumber,State,Item,/);
    expect(first).toMatch(/Ordered \([^)]+\)/);
  });

  it.each([1, 7, 1000])("keeps numbers that are names, in pieces of %i", (size) => {
    const [, line] = turned(head + row, size);
    expect(line).toContain('"=""123456789012345678"""');
    expect(line).toContain('"=""+8613900000001"""');
    expect(line).toContain('"=""423456789012345678"""');
  });

  it("has amounts in the currency's unit, and times that spreadsheets know", () => {
    const [, line] = turned(head + row);
    expect(line).toContain(",2,19.90,39.80,CNY,");
    expect(line).toMatch(/,2026-11-1\d \d\d:\d\d:00,2026-11-1\d \d\d:\d\d:00,,/);
  });

  it("names the sale beside its number", () => {
    const [first, line] = turned(head + row);
    expect(first).toContain(",Sale,Number of the sale,");
    expect(line).toContain(',"双十一, ""evening""","=""223456789012345678"""');
  });

  it("names the delivery, and keeps the zeros of its number", () => {
    const [first, line] = turned(head + row);
    expect(first).toMatch(/,Delivery,Carrier,Tracking number,Recipient,/);
    expect(line).toMatch(/,Shipped,顺丰,"=""00123""",李雷,"=""139 0000""","1 Main St, 北京",$/);
  });

  it("keeps commas, quotes and the guard against formulas", () => {
    const [, line] = turned(head + row);
    expect(line).toContain('"Tea, ""green"" 茶",\'=SUM(1),');
  });

  it("is not made of an export that breaks off", async () => {
    const answer = (table: string) => fetchSpreadsheet(new Response(table));
    await expect(answer(head + row.slice(0, 40))).rejects.toThrow("broke off");
    await expect(answer("")).rejects.toThrow("broke off");
    expect((await (await answer(head + row)).text()).split("\r\n")).toHaveLength(3);
  });
});
