// The few figures of the metrics page that an operator needs, and the difference between two
// readings.

type Reading = Map<string, number>;
export type Figures = { at: number; values: Reading };

// Which node's figures these are; null for a server of before, which did not tell.
export function nodeOf(figures: Figures): string | null {
  for (const series of figures.values.keys())
    if (series.startsWith("sluice_node_info{")) return labelsOf(series).get("id") ?? null;
  return null;
}

export function parseMetrics(page: string): Reading {
  const values: Reading = new Map();
  for (const line of page.split("\n")) {
    if (line.startsWith("#")) continue;
    const space = line.lastIndexOf(" ");
    const value = Number(line.slice(space + 1));
    if (space > 0 && !Number.isNaN(value)) values.set(line.slice(0, space), value);
  }
  return values;
}

// How much each series with this name and these labels has grown, by the value of one more label.
export function grownBy(
  now: Figures,
  before: Figures | null,
  name: string,
  label: string,
  labels: Record<string, string> = {},
): Map<string, number> {
  const grown = new Map<string, number>();
  for (const [series, value] of now.values) {
    if (!series.startsWith(`${name}{`)) continue;
    const found = labelsOf(series);
    if (Object.entries(labels).some(([key, wanted]) => found.get(key) !== wanted)) continue;
    const key = found.get(label);
    if (key === undefined) continue;
    // A server that was restarted counts from zero again.
    const past = before?.values.get(series) ?? 0;
    grown.set(key, (grown.get(key) ?? 0) + (value >= past ? value - past : value));
  }
  return grown;
}

export function total(counts: Map<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}

// The upper bound of the bucket that the quantile lies in, in milliseconds; null without requests.
export function quantile(
  now: Figures,
  before: Figures | null,
  route: string,
  part: number,
): number | null {
  const name = "sluice_http_request_seconds_bucket";
  const buckets = [...grownBy(now, before, name, "le", { route })]
    .map(([bound, count]) => ({ bound: bound === "+Inf" ? Infinity : Number(bound), count }))
    .sort((a, b) => a.bound - b.bound);
  const all = buckets.at(-1)?.count ?? 0;
  if (all === 0) return null;
  return buckets.find(({ count }) => count >= all * part)!.bound * 1000;
}

function labelsOf(series: string): Map<string, string> {
  return new Map([...series.matchAll(/(\w+)="([^"]*)"/g)].map((found) => [found[1]!, found[2]!]));
}
