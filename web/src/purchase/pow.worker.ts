// Searches for the answer of a proof of work, outside of the page's thread, and reports how many it
// has tried.

import { leadingZeroBits, NumberedHash, written } from "./sha256";

export type Task = { prefix: string; bits: number };
export type Report = { tried: number; answer?: string };

const reportEvery = 1 << 15;

self.onmessage = ({ data }: MessageEvent<Task>) => {
  const hash = new NumberedHash(data.prefix);
  for (let number = 0; ; number++) {
    if (leadingZeroBits(hash.words(number)) >= data.bits) {
      const report: Report = { tried: number + 1, answer: written(number) };
      self.postMessage(report);
      return;
    }
    if (number % reportEvery === reportEvery - 1)
      self.postMessage({ tried: number + 1 } satisfies Report);
  }
};
