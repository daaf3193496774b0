// How many people came how far in a sale, why they were refused, and how fast answers were.

import { useEffect, useRef, useState } from "preact/hooks";

import { look } from "../base/api";
import { number, preciseTime } from "../base/format";
import { Skeleton } from "../ui/parts";
import { type Asked, useAsked } from "./ask";
import { type Figures, grownBy, nodeOf, parseMetrics, quantile, total } from "./metrics";
import { running } from "./node_facts";
import { named, words } from "./texts";
import { funnelSteps, type Node, type Nodes, type Stats } from "./types";

const scrapeMilliseconds = 60_000; // the page of figures is large
const secondScrapeMilliseconds = 5000; // how quickly things go is known from two of them
const nodesMilliseconds = 6000;
type Fact = [name: string, value: string];
export type Bar = { name: string; count: number };

// The figures of the sale itself where the server keeps them; otherwise those of the whole node,
// with a note that says so.
export function Traffic({ live, past }: { live: Asked<Stats>; past: Stats | null }) {
  const { now, before, away } = useFigures();
  const whole = live.missing;
  const stats = past ?? live.value;
  const then = past && words("scope_then", { time: preciseTime(past.at) });
  const scope = then ?? words(whole ? "scope_node" : "scope_sale");
  const bars = whole ? now && funnelOfNode(now) : stats && funnelOf(stats);
  const refusals = whole ? now && refusalsOfNode(now) : stats && refusalsOf(stats);
  return (
    <>
      <section class="panel live-funnel">
        <h2>{words("funnel")}</h2>
        <p class="small faint">{scope}</p>
        <Bars bars={bars} away={whole && away} />
        {!whole && <p class="small faint note">{words("funnel_note")}</p>}
      </section>
      <section class="panel live-refusals">
        <h2>{words("refusals")}</h2>
        <p class="small faint">{scope}</p>
        {refusals && refusals.length === 0 ? (
          <p class="faint">{words("refusals_none")}</p>
        ) : (
          <Bars bars={refusals} away={whole && away} />
        )}
      </section>
      <section class="panel live-load">
        <h2>{words("load")}</h2>
        {past && <p class="small faint">{then}</p>}
        {past && <Facts facts={loadThen(past)} />}
        {!past && now && !away && <LoadNow now={now} before={before} stats={stats} />}
        {!past && !(now && !away) && <Unknown away={away} />}
      </section>
    </>
  );
}

// Of all nodes where there are several. What only one of them knows bears its name: the page of
// figures is that of the node which happened to answer.
function LoadNow({ now, before, stats }: LoadProps) {
  const listed = useAsked<Nodes>("/admin/nodes", nodesMilliseconds);
  const nodes = running(listed.value?.nodes ?? []);
  if (nodes.length < 2 || !stats)
    return (
      <>
        <p class="small faint">{words("scope_now")}</p>
        <Facts facts={[...loadOfNode(now, before), ...loadOfSale(now, before, stats)]} />
      </>
    );
  return (
    <>
      <p class="small faint">{words("scope_nodes", { n: nodes.length })}</p>
      <Facts facts={[...loadOfNodes(nodes), ...loadThen(stats)]} />
      <p class="small faint">{words("scope_one_node", { id: nodeOf(now) ?? "–" })}</p>
      <Facts facts={loadOfNode(now, before)} />
    </>
  );
}
type LoadProps = { now: Figures; before: Figures | null; stats: Stats | null };

export function Bars({ bars, away }: { bars: Bar[] | null; away: boolean }) {
  if (!bars || away) return <Unknown away={away} />;
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  return (
    <ul class="bars figures">
      {bars.map(({ name, count }) => (
        <li key={name}>
          <span>{name}</span>
          <span class="bar" aria-hidden="true">
            <span style={{ width: `${(count / most) * 100}%` }} />
          </span>
          <strong>{number(count)}</strong>
        </li>
      ))}
    </ul>
  );
}

function Unknown({ away }: { away: boolean }) {
  return away ? <p class="faint">{words("figures_unknown")}</p> : <Skeleton height="8rem" />;
}

function loadOfNodes(nodes: Node[]): Fact[] {
  const sum = (figure: (node: Node) => number) =>
    number(Math.round(nodes.reduce((all, node) => all + figure(node), 0)));
  return [
    [words("load_requests"), sum((node) => node.requests_per_second)],
    [words("load_connections"), sum((node) => node.connections)],
  ];
}

function loadOfNode(now: Figures, before: Figures | null): Fact[] {
  const seconds = before ? (now.at - before.at) / 1000 : null;
  const requests = grownBy(now, before, "sluice_http_requests_total", "route");
  const rate = (count: number) => (seconds ? number(Math.round(count / seconds)) : "–");
  return [
    [words("load_requests"), rate(total(requests))],
    [words("load_attempts"), rate(requests.get("buy") ?? 0)],
    [words("load_read_p99"), took(now, before, "show_sale", 0.99)],
    [words("load_connections"), gauge(now, "sluice_http_connections")],
  ];
}

// How long purchases take is known exactly where the server keeps figures of the sale, otherwise
// only by the bounds of its buckets.
function loadOfSale(now: Figures, before: Figures | null, stats: Stats | null): Fact[] {
  return [
    [words("load_p50"), stats ? exactly(stats.latency.p50_ms) : took(now, before, "buy", 0.5)],
    [words("load_p99"), stats ? exactly(stats.latency.p99_ms) : took(now, before, "buy", 0.99)],
    [words("load_backlog"), gauge(now, "sluice_purchase_backlog")],
  ];
}

function took(now: Figures, before: Figures | null, route: string, part: number): string {
  return before ? milliseconds(quantile(now, before, route, part)) : "–";
}

function loadThen({ latency, backlog }: Stats): Fact[] {
  return [
    [words("load_p50"), exactly(latency.p50_ms)],
    [words("load_p99"), exactly(latency.p99_ms)],
    [words("load_backlog"), number(backlog)],
  ];
}

function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl class="facts figures">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function gauge(now: Figures, name: string): string {
  const value = now.values.get(name);
  return value === undefined ? "–" : number(value);
}

// 0 stands for none.
function exactly(value: number): string {
  return value === 0 ? "–" : words("under_ms", { n: Math.round(value * 10) / 10 });
}

function milliseconds(value: number | null): string {
  if (value === null) return "–";
  return Number.isFinite(value) ? words("under_ms", { n: value }) : words("over_ms", { n: 5000 });
}

function funnelOf({ funnel }: Stats): Bar[] {
  return funnelSteps.map((step) => ({ name: words(`step_${step}`), count: funnel[step] }));
}

function funnelOfNode(now: Figures): Bar[] {
  const went = grownBy(now, null, "sluice_http_requests_total", "route", { status: "2xx" });
  const tried = grownBy(now, null, "sluice_http_requests_total", "route");
  return [
    { name: words("step_visits"), count: went.get("show_sale") ?? 0 },
    { name: words("step_challenges"), count: went.get("create_challenge") ?? 0 },
    { name: words("step_passes"), count: went.get("create_pass") ?? 0 },
    { name: words("step_attempts"), count: tried.get("buy") ?? 0 },
    { name: words("step_claims"), count: went.get("buy") ?? 0 },
  ];
}

function refusalsOf({ funnel }: Stats): Bar[] {
  return ranked(new Map(Object.entries(funnel.refusals)));
}

// A server that does not count refusals by code counts them at least by class.
function refusalsOfNode(now: Figures): Bar[] {
  const codes = grownBy(now, null, "sluice_refusals_total", "code");
  if (codes.size > 0) return ranked(codes);
  const classes = grownBy(now, null, "sluice_http_requests_total", "status");
  return ranked(new Map([...classes].filter(([name]) => name === "4xx" || name === "5xx")));
}

function ranked(counts: Map<string, number>): Bar[] {
  return [...counts]
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 10)
    .map(([code, count]) => ({ name: named("code", code), count }));
}

// Two readings are compared only if they are of the same node.
function useFigures() {
  const latest = useRef(new Map<string | null, Figures>());
  const pace = (now: Figures) =>
    latest.current.has(nodeOf(now)) ? scrapeMilliseconds : secondScrapeMilliseconds;
  const { value, away } = useAsked("/metrics", pace, scrape);
  const [pair, setPair] = useState<{ now: Figures | null; before: Figures | null }>({
    now: null,
    before: null,
  });
  useEffect(() => {
    if (!value) return;
    setPair({ now: value, before: latest.current.get(nodeOf(value)) ?? null });
    latest.current.set(nodeOf(value), value);
  }, [value]);
  return { ...pair, away };
}

async function scrape(path: string): Promise<Figures> {
  const response = await look(path);
  if (!response.ok) throw new Error("not the machine room");
  return { values: parseMetrics(await response.text()), at: performance.now() };
}
