// Where the browser keeps the attempt of a buyer in a sale, so that a reload, other tabs and other
// pages can continue from it.

import { currentUser } from "../base/session";
import { forget, keep, kept } from "../base/storage";
import type { Attempt } from "./machine";

export const attemptPlace = (buyer: string, sale: string) => `sluice.attempt.${buyer}.${sale}`;

// The attempt of the present user in this sale, if it is the one that got this ticket.
export function attemptOf(sale: string, ticket: string): Attempt | null {
  const user = currentUser();
  const attempt = user && kept<Attempt>(attemptPlace(user.id, sale));
  return attempt?.ticket === ticket ? attempt : null;
}

export function keepAttempt(sale: string, attempt: Attempt): void {
  const user = currentUser();
  if (user) keep(attemptPlace(user.id, sale), attempt);
}

// Does nothing if the sale has another attempt by now.
export function forgetAttempt(sale: string, ticket: string): void {
  const user = currentUser();
  if (user && attemptOf(sale, ticket)) forget(attemptPlace(user.id, sale));
}
