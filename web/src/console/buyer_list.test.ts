import { describe, expect, it } from "vitest";

import { piecesOf, readBuyerList } from "./buyer_list";

const id = "289637012345678901";

describe("the list of a sale", () => {
  it("tells phones from ids by their length", () => {
    const list = readBuyerList(`13800138000\n+8613800138001\r\n${id}\n`);
    expect(list).toMatchObject({ phones: 2, ids: 1, wrong: [] });
    expect(list.entries).toEqual(["13800138000", "+8613800138001", id]);
  });

  it.each(["phone", "\uFEFFPhone", "手机号", '"mobile"'])("takes %s for a heading", (heading) =>
    expect(readBuyerList(`${heading}\n13800138000`)).toMatchObject({ phones: 1, wrong: [] }),
  );

  it("reads short ids under their heading, and what the server exports", () => {
    expect(readBuyerList("id\n7\n12\n7\n")).toMatchObject({ ids: 2, phones: 0, column: "id" });
    const exported = readBuyerList(`phone_or_id\r\n'+8613800138000\r\n${id}\r\n`);
    expect(exported.entries).toEqual(["+8613800138000", id]);
  });

  it("names the lines that it cannot read", () => {
    const { wrong } = readBuyerList('phone\n138 0013-8000\n1.38E+10\n13800138000,Li\n\n"138');
    expect(wrong).toEqual([
      { line: 3, mistake: "neither" },
      { line: 4, mistake: "columns" },
      { line: 6, mistake: "quotes" },
    ]);
    expect(readBuyerList("x\n".repeat(1000)).wrong).toHaveLength(20);
    expect(readBuyerList(`id\n${2n ** 63n}`).wrong).toHaveLength(1);
  });

  it("is empty without a buyer", () => {
    for (const text of ["", "\n\n", "phone\n"])
      expect(readBuyerList(text)).toMatchObject({ entries: [], wrong: [] });
  });

  it("is sent in pieces that each have the heading", () => {
    const list = readBuyerList(`id\n${Array.from({ length: 1000 }, (_, i) => i + 1).join("\n")}`);
    const pieces = piecesOf(list, 1000);
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(1000);
    const sent = pieces.flatMap((piece) => piece.trim().split("\n").slice(1));
    expect(sent).toEqual(list.entries);
  });

  it("reads a long list", () => {
    const text = Array.from({ length: 100_000 }, (_, i) => 13_000_000_000 + i).join("\n");
    expect(readBuyerList(text).phones).toBe(100_000);
  });
});
