import { describe, expect, it } from "vitest";

import { qrCode, qrPicture } from "./qr_code";

const address = "https://shop.example/sale?id=247922757915979776";

// Its modules, row by row, from the path that is drawn.
function modulesOf({ size, path }: ReturnType<typeof qrCode>): boolean[][] {
  const rows = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    rows[Number(y)]!.fill(true, Number(x), Number(x) + Number(width));
  return rows;
}

describe("a QR code", () => {
  it("has its three finders, and a quiet zone of four modules around", () => {
    const code = qrCode(address);
    const rows = modulesOf(code);
    const finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"];
    const corner = (top: number, left: number) =>
      rows.slice(top, top + 7).map((row) =>
        row
          .slice(left, left + 7)
          .map((dark) => (dark ? "#" : "."))
          .join(""),
      );
    expect(corner(4, 4)).toEqual(finder);
    expect(corner(4, code.size - 11)).toEqual(finder);
    expect(corner(code.size - 11, 4)).toEqual(finder);
    const edge = [...rows.slice(0, 4), ...rows.slice(-4), ...rows.map((row) => row.slice(0, 4))];
    expect(edge.flat().some(Boolean)).toBe(false);
  });

  it("is another one for another address, and grows with it", () => {
    expect(qrCode(address).path).not.toBe(qrCode(`${address}1`).path);
    expect(qrCode(address.repeat(8)).size).toBeGreaterThan(qrCode(address).size);
  });

  it("is a picture of its own, black on white", () => {
    const picture = qrPicture(address);
    expect(picture).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" /);
    expect(picture).toContain(qrCode(address).path);
  });
});
