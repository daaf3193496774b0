// An operator's search among all orders: in the page's address, and as the API takes it.

import { queryOf } from "../base/query";
import { instantOf } from "./fields";

const fields = [
  "sale",
  "state",
  "buyer",
  "phone",
  "name",
  "money",
  "delivery",
  "from",
  "to",
] as const;
export type OrderFilter = Record<(typeof fields)[number], string>;

export function readFilter(search: string): OrderFilter {
  const given = new URLSearchParams(search);
  return Object.fromEntries(fields.map((name) => [name, given.get(name) ?? ""])) as OrderFilter;
}

export function searchOf(filter: OrderFilter): string {
  return written(filter, (name) => name, "?");
}

type Whom = Pick<OrderFilter, "buyer" | "phone" | "name">;

// What was typed to find a buyer: an id, which is longer than any phone, a whole phone, or the
// beginning of a name.
export function whomOf(typed: string): Whom {
  const whom: Whom = { buyer: "", phone: "", name: "" };
  const digits = typed.replace(/[\s().-]/g, "");
  if (/^\d{16,}$/.test(typed)) whom.buyer = typed;
  else if (/^\+?\d{5,}$/.test(digits)) whom.phone = digits;
  else whom.name = typed;
  return whom;
}

// What the field shows: for an id the name, if it is known.
export const typedOf = (filter: OrderFilter, knownName?: string): string =>
  (filter.buyer && (knownName || filter.buyer)) || filter.phone || filter.name;

const parameter = {
  sale: "sale_id",
  state: "state",
  buyer: "buyer",
  phone: "phone",
  name: "buyer_name",
  money: "money",
  delivery: "delivery",
  from: "created_from",
  to: "created_to",
} as const;

export function wishOf(filter: OrderFilter): string {
  const { from, to } = filter;
  const instants = { ...filter, from: instantOf(from) ?? "", to: instantOf(to) ?? "" };
  return written(instants, (name) => parameter[name]);
}

function written(
  filter: OrderFilter,
  nameOf: (name: keyof OrderFilter) => string,
  start = "",
): string {
  const query = new URLSearchParams();
  for (const name of fields) if (filter[name]) query.set(nameOf(name), filter[name]);
  const said = queryOf(query);
  return said && start + said;
}
