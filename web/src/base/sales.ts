// Which sales to show where, and how often to ask about them.

import { get } from "./api";
import { queryOf } from "./query";
import type { Sale, SalePage, SaleState } from "./types";

const pageSize = 100;
const mostPages = 5; // a shop with more sales at a time needs a page to browse, not a longer list

export type Shelves = { running: Sale[]; coming: Sale[]; past: Sale[] };

// A sale that was announced counts as open once its second has come, whatever the last answer said.
export function stateAt(sale: Sale, now: number | null): SaleState {
  if (now === null) return sale.state;
  if (sale.ends_at !== null && now >= Date.parse(sale.ends_at)) return "ended";
  if (sale.state !== "scheduled" || now < Date.parse(sale.starts_at)) return sale.state;
  return sale.stock.left > 0 ? "open" : "sold_out";
}

// Milliseconds until stateAt or the audience may change: until the start, the end or the instant
// from which everybody may buy, and never more than a second,
// since the clock may be corrected meanwhile.
export function untilEdge(sale: Sale, now: number): number {
  const edges = [sale.starts_at, sale.ends_at, sale.listed_until].map((edge) =>
    edge ? Date.parse(edge) - now : 0,
  );
  return Math.min(1000, ...edges.filter((left) => left > 0));
}

export function arrange(sales: Sale[], now: number | null): Shelves {
  const shelves: Shelves = { running: [], coming: [], past: [] };
  for (const sale of sales) shelves[shelfOf(stateAt(sale, now))].push(sale);
  const begins = (sale: Sale) => Date.parse(sale.starts_at);
  const ends = (sale: Sale) => (sale.ends_at === null ? Infinity : Date.parse(sale.ends_at));
  const soldOut = (sale: Sale) => Number(stateAt(sale, now) === "sold_out");
  shelves.running.sort((a, b) => soldOut(a) - soldOut(b) || ends(a) - ends(b));
  shelves.coming.sort((a, b) => begins(a) - begins(b));
  shelves.past.sort((a, b) => ends(b) - ends(a));
  return shelves;
}

function shelfOf(state: SaleState): keyof Shelves {
  if (state === "ended") return "past";
  return state === "scheduled" ? "coming" : "running";
}

// Whether every searched word occurs in the sale's name or the item's title or description, in
// upper or lower case.
export function isAbout({ item, name }: Pick<Sale, "item" | "name">, wanted: string): boolean {
  const plain = (text: string) => text.normalize("NFKC").toLowerCase();
  const words = plain(wanted).split(/\s+/);
  const said = plain(`${name} ${item.title} ${item.description}`);
  return words.every((word) => said.includes(word));
}

export const isOf = ({ item }: Pick<Sale, "item">, category: string) =>
  category === "" || item.category === category;

const mostCategories = 50;

// The categories that have a sale, in alphabetical order.
export function categoriesOf(sales: Pick<Sale, "item">[]): string[] {
  const found = new Set(sales.map(({ item }) => item.category).filter(Boolean));
  return [...found].sort((a, b) => a.localeCompare(b)).slice(0, mostCategories);
}

// In most shops all sales fit on one page, so one request is enough. Where they do not, running and
// coming sales must not be hidden behind those that are over.
export async function fetchSales(): Promise<Sale[]> {
  const all = await get<SalePage>(`/sales?limit=${pageSize}`);
  if (!all.next_cursor) return all.sales;
  const states: SaleState[] = ["open", "sold_out", "paused", "scheduled"];
  const live = await Promise.all(states.map((state) => fetchAll(state)));
  const past = await get<SalePage>("/sales?state=ended&limit=12");
  return [...live.flat(), ...past.sales];
}

const everyState: SaleState[] = ["open", "sold_out", "paused", "scheduled", "ended"];

const mostPagesOfAll = 20;

// For operators, who also look at sales that are over: the latest two thousand of each state.
export async function fetchEverySale(): Promise<Sale[]> {
  return (await Promise.all(everyState.map((state) => fetchAll(state, mostPagesOfAll)))).flat();
}

export type Labels = { campaign: string; tag: string };

// Sales of a campaign, with a tag, or both; an empty one is not a filter.
export async function fetchLabelled(labels: Labels): Promise<Sale[]> {
  const given = Object.entries(labels).filter(([, label]) => label !== "");
  return fetchPages(queryOf(given), mostPagesOfAll);
}

const fetchAll = (state: SaleState, most = mostPages) => fetchPages(`state=${state}`, most);

async function fetchPages(query: string, most: number): Promise<Sale[]> {
  const found: Sale[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < most; page++) {
    const after: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const answer: SalePage = await get<SalePage>(`/sales?${query}&limit=${pageSize}${after}`);
    found.push(...answer.sales);
    cursor = answer.next_cursor;
    if (!cursor) break;
  }
  return found;
}

const secondMilliseconds = 1000;

// An open sale changes, a coming one is asked about again just after its start, others can wait.
export function askAgainAfter(sale: Sale, now: number | null): number {
  const state = stateAt(sale, now);
  if (state === "ended") return 60 * secondMilliseconds;
  if (state !== "scheduled") return 3 * secondMilliseconds;
  const untilStart = Date.parse(sale.starts_at) - (now ?? 0);
  return Math.min(15 * secondMilliseconds, Math.max(secondMilliseconds, untilStart));
}

const mostInOneOrder = 20;

// How many units a buyer who has so many can choose: as many as the sale and an order allow, and as
// are left. 0 when the sale allows no more. If nothing is left, one unit may still be tried.
export function mostAtOnce(
  { limit_per_buyer, stock }: Pick<Sale, "limit_per_buyer" | "stock">,
  mine = 0,
): number {
  const allowed = Math.max(0, limit_per_buyer - mine);
  return Math.min(allowed, mostInOneOrder, Math.max(1, stock.left));
}
