// What the live view has seen of a sale's stock, and what follows from it.

import type { Stock } from "../base/types";
import type { Stats } from "./types";

export type Sample = Stock & { at: number };

const mostSamples = 7200;
const rateWindowMilliseconds = 15_000;

// One point for each second at most; the oldest go when there are too many.
export function withSample(samples: Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && sample.at - last.at < 500) return samples;
  return [...samples.slice(Math.max(0, samples.length + 1 - mostSamples)), sample];
}

// What the server remembers from before this page was opened goes before what it has seen itself.
export function withHistory(samples: Sample[], points: Pick<Stats, "at" | "stock">[]): Sample[] {
  const first = samples[0]?.at ?? Infinity;
  const remembered = points
    .map(({ at, stock }) => ({ ...stock, at: Date.parse(at) }))
    .filter(({ at }) => at < first);
  return [...remembered, ...samples].slice(-mostSamples);
}

// Units leaving the stock in a second, over the last quarter of a minute. A restock is no sale, so
// what is counted is what is held and sold. Null while too little is known.
export function saleRate(samples: Sample[]): number | null {
  const last = samples.at(-1);
  if (!last) return null;
  const first = samples.find((sample) => sample.at >= last.at - rateWindowMilliseconds)!;
  const seconds = (last.at - first.at) / 1000;
  if (seconds < 2) return null;
  const taken = (sample: Sample) => sample.held + sample.sold;
  return Math.max(0, (taken(last) - taken(first)) / seconds);
}

// The instant at which nothing is left if it goes on like this; null when it does not.
export function projectedEnd(samples: Sample[]): number | null {
  const rate = saleRate(samples);
  const last = samples.at(-1);
  if (!last || !rate || last.left === 0) return null;
  const seconds = last.left / rate;
  return seconds > 86_400 ? null : last.at + seconds * 1000;
}
