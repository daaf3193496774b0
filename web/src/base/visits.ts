// Tells the shop that a visitor looks at a sale, once a day for each sale and browser. It tells
// nobody who the visitor is: the browser itself remembers which sales it has reported today.

import { post } from "./api";
import { currentUser, isStaff } from "./session";
import { keep, kept } from "./storage";

type Told = { day: string; sales: string[] };

const place = "sluice.visits";
const most = 200;

export async function noteVisit(sale: string, now: number, tell = tellServer): Promise<void> {
  if (isStaff(currentUser())) return; // whoever sells is no visitor
  const day = new Date(now).toISOString().slice(0, 10);
  if (toldOn(day).includes(sale)) return;
  try {
    await tell(sale);
  } catch {
    return; // the next look tells
  }
  keep(place, { day, sales: [...toldOn(day), sale].slice(-most) } satisfies Told);
}

const tellServer = (sale: string): Promise<unknown> =>
  post(`/sales/${encodeURIComponent(sale)}/visits`);

function toldOn(day: string): string[] {
  const told = kept<Partial<Told>>(place);
  return told?.day === day && Array.isArray(told.sales) ? told.sales : [];
}
