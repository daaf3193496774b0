// The sizes in which the server keeps an uploaded picture, so that a phone loads a small one. They
// follow from its address, which names the largest (src/domain/picture.hpp).

const smaller = [320, 640];
const uploaded = /^(\/pictures\/[0-9a-f]{64}\/)([1-9]\d{0,3})\.jpg$/;

// What an img needs beside its src; nothing for a picture that was not uploaded here.
export function sourcesOf(url: string, sizes: string): { srcset?: string; sizes?: string } {
  const [, folder, width] = uploaded.exec(url) ?? [];
  if (folder === undefined) return {};
  const widths = [...smaller.filter((one) => one < Number(width)), Number(width)];
  return { srcset: widths.map((one) => `${folder}${one}.jpg ${one}w`).join(", "), sizes };
}
