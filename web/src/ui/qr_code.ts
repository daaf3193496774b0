// An address as a QR code. Loaded only when somebody asks for one: the encoder is larger than the
// rest of a page's own script.

import qrcode from "qrcode-generator";

const quiet = 4; // modules around it that stay light, as readers need

// The dark modules as one path in a square of `size` units.
export function qrCode(address: string): { size: number; path: string } {
  const code = qrcode(0, "M");
  code.addData(address, "Byte");
  code.make();
  const count = code.getModuleCount();
  let path = "";
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      if (!code.isDark(row, column)) continue;
      const start = column;
      while (column + 1 < count && code.isDark(row, column + 1)) column++;
      path += `M${start + quiet} ${row + quiet}h${column - start + 1}v1h${start - column - 1}z`;
    }
  }
  return { size: count + 2 * quiet, path };
}

// For a poster: black on white, whatever the theme of the page.
export function qrPicture(address: string): string {
  const { size, path } = qrCode(address);
  const box = `viewBox="0 0 ${size} ${size}" width="${size * 10}" height="${size * 10}"`;
  const ground = `<path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box} shape-rendering="crispEdges">${ground}<path d="${path}"/></svg>\n`;
}
