// What an operator looks for among all orders: in the page's address, and as the API takes it.

import { instantOf } from "./fields";

const fields = ["sale", "state", "buyer", "money", "from", "to"] as const;
export type OrderFilter = Record<(typeof fields)[number], string>;

export function readFilter(search: string): OrderFilter {
  const given = new URLSearchParams(search);
  return Object.fromEntries(fields.map((name) => [name, given.get(name) ?? ""])) as OrderFilter;
}

export function searchOf(filter: OrderFilter): string {
  return written(filter, (name) => name, "?");
}

const parameter = {
  sale: "sale_id",
  state: "state",
  buyer: "buyer",
  money: "money",
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
  const said = query.toString();
  return said && start + said;
}
