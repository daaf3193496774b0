// Which stretch of a sale its chart shows. Null stands for all of it.

import type { Sample } from "./samples";

export type Span = { from: number; to: number };

const leastMilliseconds = 5000;
const decisiveShare = 0.9; // of the units that left the stock
const marginShare = 0.25;
const leastMarginMilliseconds = 2000;
const nearMilliseconds = 15_000;
const vanishingShare = 0.1; // less of the whole chart than this is a line, not a curve

export function wholeOf(samples: Sample[]): Span | null {
  const [first, last] = [samples[0], samples.at(-1)];
  return first && last && last.at > first.at ? { from: first.at, to: last.at } : null;
}

// The shortest period in which nearly all units left the stock, with some room around it. A unit
// that comes back or is added does not count.
export function decisive(samples: Sample[]): Span | null {
  const whole = wholeOf(samples);
  const fell = samples.map(({ left }, i) => Math.max(0, (samples[i - 1]?.left ?? left) - left));
  const wanted = fell.reduce((sum, units) => sum + units, 0) * decisiveShare;
  if (!whole || wanted === 0) return null;
  let best: Span | null = null;
  let within = 0;
  // From the sample at `first` to the one at `last`; units that were sold by the time of `first`
  // are outside.
  for (let first = 0, last = 0; ; ) {
    while (within < wanted && ++last < samples.length) within += fell[last]!;
    if (last >= samples.length) break;
    while (within - fell[first + 1]! >= wanted) within -= fell[++first]!;
    const [from, to] = [samples[first]!.at, samples[last]!.at];
    if (!best || to - from < best.to - best.from) best = { from, to };
    within -= fell[++first]!;
  }
  if (!best) return null;
  const margin = Math.max(leastMarginMilliseconds, (best.to - best.from) * marginShare);
  return fitted({ from: best.from - margin, to: best.to + margin }, whole);
}

// The decisive period, if it would be only a line in the whole chart.
export function vanishing(samples: Sample[]): Span | null {
  const [span, whole] = [decisive(samples), wholeOf(samples)];
  if (!span || !whole) return null;
  return lengthOf(span) < lengthOf(whole) * vanishingShare ? span : null;
}

// A factor below 1 zooms in. Null when all of the sale is shown again. From the whole it zooms to
// the decisive period.
export function scaled(
  span: Span | null,
  factor: number,
  whole: Span,
  towards: Span | null = null,
): Span | null {
  const shown = span ?? whole;
  const centre = span ?? towards ?? whole;
  const middle = (centre.from + centre.to) / 2;
  const half = (lengthOf(shown) * factor) / 2;
  return orWhole({ from: middle - half, to: middle + half }, whole);
}

// By a part of what is shown: -0.5 is half of it earlier.
export function moved(span: Span, part: number, whole: Span): Span | null {
  const by = lengthOf(span) * part;
  return orWhole({ from: span.from + by, to: span.to + by }, whole);
}

export const around = (at: number, whole: Span) =>
  fitted({ from: at - nearMilliseconds, to: at + nearMilliseconds }, whole);

// What was dragged over, from either side.
export const between = (one: number, other: number, whole: Span) =>
  fitted({ from: Math.min(one, other), to: Math.max(one, other) }, whole);

// The most that was left within the span, which may begin between two samples.
export function mostLeft(samples: Sample[], span: Span | null): number {
  const { from, to } = span ?? { from: -Infinity, to: Infinity };
  let most = 0;
  let before = 0;
  for (const { at, left } of samples) {
    if (at > to) break;
    if (at <= from) before = left;
    else most = Math.max(most, left);
  }
  return Math.max(most, before);
}

const lengthOf = ({ from, to }: Span) => to - from;

function orWhole(span: Span, whole: Span): Span | null {
  return lengthOf(span) >= lengthOf(whole) ? null : fitted(span, whole);
}

// Never shorter than can be read, and within the whole, unless the whole is shorter itself.
function fitted(span: Span, whole: Span): Span {
  const short = Math.max(0, leastMilliseconds - lengthOf(span)) / 2;
  const length = lengthOf(span) + 2 * short;
  const latest = Math.max(whole.from, whole.to - length);
  const from = Math.min(Math.max(span.from - short, whole.from), latest);
  return { from, to: from + length };
}
