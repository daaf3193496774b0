// Asks for all that a report of a sale is made of.

import { get, Problem } from "../base/api";
import type { Sale } from "../base/types";
import { type Report, reportOf, soldOutPoint } from "./report_figures";
import type { History, OrderOfBuyer, Stats } from "./types";

type OrderPage = { orders: OrderOfBuyer[]; next_cursor: string | null };
type Past = { points: Stats[]; pointSeconds: number };

const pageSize = 100;
const mostPages = 30; // of refunded orders; a sale with more says that it does not know
const mostHistoryPages = 15;
const minuteMilliseconds = 60_000;
const keptSecondsMilliseconds = 3_600_000;

export async function fetchReport(id: string): Promise<Report> {
  const path = `/admin/sales/${encodeURIComponent(id)}`;
  const [sale, stats, refunded] = await Promise.all([
    get<Sale>(`/sales/${encodeURIComponent(id)}`),
    get<Stats>(`${path}/stats`),
    fetchRefunded(id),
  ]);
  const past = await fetchPast(path, sale);
  const soldOutAt = await fetchSoldOutAt(id, past, stats);
  return reportOf({ sale, stats, refunded, soldOutAt, ...past });
}

// By the second where the whole sale is stored so, otherwise by the minute.
async function fetchPast(path: string, sale: Sale): Promise<Past> {
  const now = sale.now ? Date.parse(sale.now) : Date.now();
  const recent = now - Date.parse(sale.starts_at) < keptSecondsMilliseconds - minuteMilliseconds;
  const [resolution, pointSeconds] = recent ? ["second", 1] : ["minute", 60];
  const points: Stats[] = [];
  let from = "";
  for (let page = 0; page < mostHistoryPages; page++) {
    const after: string = from && `&from=${encodeURIComponent(from)}`;
    const history: History = await get<History>(
      `${path}/stats/history?resolution=${resolution}${after}`,
    );
    points.push(...history.points);
    if (!history.next_from) break;
    from = history.next_from;
  }
  return { points, pointSeconds: pointSeconds as number };
}

// When the order was made that took the last unit: the latest one in the point at whose end nothing
// was left. The latest second may not be stored yet.
async function fetchSoldOutAt(id: string, past: Past, stats: Stats): Promise<number | null> {
  const point = soldOutPoint(past.points);
  if (!point) return stats.stock.left === 0 ? fetchLatestOrder(id, "") : null;
  const from = Date.parse(point.at);
  const to = from + past.pointSeconds * 1000;
  return (await fetchLatestOrder(id, `&created_from=${iso(from)}&created_to=${iso(to)}`)) ?? to;
}

async function fetchLatestOrder(id: string, range: string): Promise<number | null> {
  const path = `/admin/orders?sale_id=${encodeURIComponent(id)}&limit=1${range}`;
  const [latest] = (await get<OrderPage>(path)).orders;
  return latest ? Date.parse(latest.created_at) : null;
}

const iso = (at: number) => encodeURIComponent(new Date(at).toISOString());

async function fetchRefunded(id: string): Promise<number | null> {
  let cents = 0;
  let cursor = "";
  for (let page = 0; page < mostPages; page++) {
    const after = cursor && `&cursor=${cursor}`;
    const path = `/admin/orders?sale_id=${encodeURIComponent(id)}&state=refunded`;
    const answer: OrderPage = await get<OrderPage>(`${path}&limit=${pageSize}${after}`);
    for (const order of answer.orders) cents += order.total_cents;
    if (!answer.next_cursor) return cents;
    cursor = answer.next_cursor;
  }
  return null;
}

export const isUnknown = (failure: unknown) =>
  failure instanceof Problem && (failure.status === 404 || failure.status === 422);
