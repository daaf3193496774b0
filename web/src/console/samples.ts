// What the live view has seen of a sale's stock, and what follows from it.

import type { Stock } from "../base/types";
import type { Stats } from "./types";

// `figures`: the sale's figures at the same instant, where the server has them.
export type Sample = Stock & { at: number; figures?: Stats };

export const sampleOf = (figures: Stats): Sample => ({
  ...figures.stock,
  at: Date.parse(figures.at),
  figures,
});

const mostSamples = 7200;
const seenMilliseconds = 5000; // … between two looks this close, nothing was missed
const rateWindowMilliseconds = 15_000;

// One point for each second at most; the oldest go when there are too many.
export function withSample(samples: Sample[], sample: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && sample.at - last.at < 500) return samples;
  return [...samples.slice(Math.max(0, samples.length + 1 - mostSamples)), sample];
}

// The server's history fills in what this page has not seen: before it was opened, and while nobody
// looked at it.
export function withHistory(samples: Sample[], points: Stats[]): Sample[] {
  const merged: Sample[] = [];
  let next = 0;
  for (const point of points) {
    const told = sampleOf(point);
    const { at } = told;
    while (next < samples.length && samples[next]!.at <= at) merged.push(samples[next++]!);
    const before = samples[next - 1]?.at ?? -Infinity;
    const after = samples[next]?.at ?? (next === 0 ? Infinity : -Infinity);
    if (before < at && after - before > seenMilliseconds) merged.push(told);
  }
  return [...merged, ...samples.slice(next)];
}

// Units that leave the stock in a second, over the last quarter of a minute. What is counted is
// held plus sold, so that a restock does not count. Null while too little is known.
export function saleRate(samples: Sample[]): number | null {
  const last = samples.at(-1);
  if (!last) return null;
  const first = samples.find((sample) => sample.at >= last.at - rateWindowMilliseconds)!;
  const seconds = (last.at - first.at) / 1000;
  if (seconds < 2) return null;
  const taken = (sample: Sample) => sample.held + sample.sold;
  return Math.max(0, (taken(last) - taken(first)) / seconds);
}

// When nothing will be left at this rate; null when nothing is being sold.
export function projectedEnd(samples: Sample[]): number | null {
  const rate = saleRate(samples);
  const last = samples.at(-1);
  if (!last || !rate || last.left === 0) return null;
  const seconds = last.left / rate;
  return seconds > 86_400 ? null : last.at + seconds * 1000;
}

const quickMilliseconds = 1000;
const movingMilliseconds = 2000;
const quietMilliseconds = 5000;
const startMilliseconds = 15_000;
const decidingMilliseconds = 60_000;

// How often to look: each second around the start and during the last minute of the stock,
// otherwise by whether anything has changed lately. Looking each second for an hour would use more
// of a phone's data than it is worth.
export function lookAgainAfter(samples: Sample[], startsAt: number, end: number | null): number {
  const last = samples.at(-1);
  if (!last || Math.abs(last.at - startsAt) < startMilliseconds) return quickMilliseconds;
  if (end !== null && end - last.at < decidingMilliseconds) return quickMilliseconds;
  const first = samples.find((sample) => sample.at >= last.at - rateWindowMilliseconds)!;
  const moved = (["total", "left", "held", "sold"] as const).some(
    (key) => first[key] !== last[key],
  );
  return moved ? movingMilliseconds : quietMilliseconds;
}

const leastAheadMilliseconds = 60_000;

// The end of the forecast line: no further ahead than the seen part is long, or the future of a
// slow sale would leave no room for its past.
export function drawnEnd(samples: Sample[], end: number): { at: number; left: number } {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const ahead = Math.max(leastAheadMilliseconds, last.at - first.at);
  if (end - last.at <= ahead) return { at: end, left: 0 };
  return { at: last.at + ahead, left: last.left * (1 - ahead / (end - last.at)) };
}
