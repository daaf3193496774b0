// Tickets that this browser has seen in the queue, for "My orders": until a ticket is decided it is
// not an order, and no list of the server contains it.

import { currentUser } from "./session";
import { keep, kept } from "./storage";

export type QueuedTicket = { ticket: string; sale_id: string; title: string };

const most = 10;
const placeOf = (user: string) => `sluice.queued.${user}`;

export function queuedTickets(): QueuedTicket[] {
  const user = currentUser();
  const found = user && kept<unknown>(placeOf(user.id));
  return Array.isArray(found) ? (found as QueuedTicket[]) : [];
}

export function noteQueued(entry: QueuedTicket): void {
  const before = queuedTickets();
  if (before.some(({ ticket }) => ticket === entry.ticket)) return;
  put([...before, entry].slice(-most));
}

// Called when its buyer has read the outcome.
export function forgetQueued(ticket: string): void {
  const before = queuedTickets();
  const after = before.filter((entry) => entry.ticket !== ticket);
  if (after.length < before.length) put(after);
}

function put(entries: QueuedTicket[]): void {
  const user = currentUser();
  if (user) keep(placeOf(user.id), entries);
}
