// The result of a sale, calculated from the API's answers.

import type { Sale } from "../base/types";
import type { Funnel, Stats } from "./types";

// `soldOutAt`: when the last unit was ordered for the first time. `refunded`: in the currency's
// smallest unit. Null is what is not known.
export type Told = {
  sale: Sale;
  stats: Stats;
  points: Stats[];
  pointSeconds: number;
  soldOutAt: number | null;
  refunded: number | null;
};

export type Report = {
  sale: Sale;
  units: { total: number; sold: number; held: number };
  soldOutSeconds: number | null;
  revenue: { kept: number; refunded: number | null; taken: number | null };
  funnel: Funnel;
  // A share from 0 to 1; null if there is nothing to divide by.
  won: number | null;
  paid: number | null;
  expired: number | null;
  load: { attemptsPerSecond: number; pointSeconds: number; p99: number; backlog: number } | null;
};

export function reportOf(told: Told): Report {
  const { sale, stats, refunded, soldOutAt } = told;
  const { funnel, stock } = stats;
  // Units of refunded orders are not sold any more, and the price cannot change after the start.
  const kept = stock.sold * sale.price_cents;
  const since = soldOutAt === null ? null : (soldOutAt - Date.parse(sale.starts_at)) / 1000;
  return {
    sale,
    units: { total: stock.total, sold: stock.sold, held: stock.held },
    soldOutSeconds: since === null ? null : Math.max(0, since),
    revenue: { kept, refunded, taken: refunded === null ? null : kept + refunded },
    funnel,
    won: share(funnel.claims, funnel.attempts),
    paid: share(funnel.paid, funnel.orders),
    expired: share(funnel.expired, funnel.orders),
    load: loadOf(told),
  };
}

// A share above one comes from figures that were lost in a crash.
const share = (part: number, whole: number) => (whole > 0 ? Math.min(1, part / whole) : null);

function loadOf({ points, pointSeconds }: Told): Report["load"] {
  if (points.length === 0) return null;
  const most = (figure: (point: Stats) => number) =>
    points.reduce((highest, point) => Math.max(highest, figure(point)), 0);
  return {
    attemptsPerSecond: most(({ funnel }) => funnel.attempts) / pointSeconds,
    pointSeconds,
    p99: most(({ latency }) => latency.p99_ms),
    backlog: most(({ backlog }) => backlog),
  };
}

// The first point at whose end nothing was left.
export const soldOutPoint = (points: Stats[]): Stats | null =>
  points.find(({ stock }) => stock.left === 0) ?? null;
