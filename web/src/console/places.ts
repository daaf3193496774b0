// The pages of the console and who may use them. The server decides the same about each call; here it decides what
// is shown.

import { isStaff, mayOperate } from "../base/session";
import type { User } from "../base/types";

// In the order of the navigation.
const places = [
  { to: "/console/", name: "sales", support: true },
  { to: "/console/items", name: "items", support: false },
  { to: "/console/orders", name: "orders", support: true },
  { to: "/console/users", name: "users", support: false },
  { to: "/console/limits", name: "limits", support: false },
  { to: "/console/webhooks", name: "webhooks", support: false },
  { to: "/console/trail", name: "trail", support: false },
  { to: "/console/queue", name: "queue", support: false },
  { to: "/console/nodes", name: "nodes", support: false },
  { to: "/console/alerts", name: "alerts", support: false },
] as const;

// Pages that belong to an entry of the navigation without being in it.
const within: Record<string, { place: string; support: boolean }> = {
  "/console": { place: "/console/", support: true },
  "/console/sale": { place: "/console/", support: true },
  "/console/calendar": { place: "/console/", support: true },
  "/console/plan": { place: "/console/", support: false },
  "/console/report": { place: "/console/", support: false },
  "/console/item": { place: "/console/items", support: false },
  "/console/order": { place: "/console/orders", support: true },
};

export type Place = (typeof places)[number];

// The entry of the navigation to which the page belongs.
export const placeOf = (path: string): string => within[path]?.place ?? path;

export const placesOf = (user: User | null): Place[] =>
  places.filter(({ support }) => mayOperate(user) || (isStaff(user) && support));

// A page that is not in the tables is for operators.
export function mayOpen(user: User | null, path: string): boolean {
  if (mayOperate(user)) return true;
  const page = within[path] ?? places.find(({ to }) => to === path);
  return isStaff(user) && page !== undefined && page.support;
}
