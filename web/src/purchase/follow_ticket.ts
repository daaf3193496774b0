// What came of a ticket that a buyer was told to wait for, on pages that do not show the purchase.

import { get, post, Problem } from "../base/api";
import type { QueuedTicket } from "../base/queued";
import type { Purchase, Ticket } from "../base/types";
import { attemptOf, forgetAttempt, keepAttempt } from "./kept_attempt";

// `ticket`: its name from now on. `lost`: the server does not know it, and this page cannot get it
// back; the page of the sale may.
export type Outcome = { ticket: string } & (
  | { state: "queued"; waitSeconds: number | undefined }
  | { state: "ordered" }
  | { state: "refused"; reason: string }
  | { state: "lost" }
);

// Throws what is no answer, such as 503: then nothing is known, and it should be asked again.
export async function followTicket(entry: QueuedTicket): Promise<Outcome> {
  try {
    return outcomeOf(await get<Ticket>(`/tickets/${entry.ticket}`));
  } catch (failure) {
    if (!(failure instanceof Problem) || failure.code !== "not_found") throw failure;
    return sendAgain(entry);
  }
}

function outcomeOf(found: Ticket | Purchase): Outcome {
  const { ticket } = found;
  if (found.state === "ordered") return { ticket, state: "ordered" };
  if (found.state === "queued") return { ticket, state: "queued", waitSeconds: found.wait_seconds };
  return { ticket, state: "refused", reason: found.reason ?? "conflict" };
}

// Refusals that another try would only hear again.
const finalCodes = ["sold_out", "limit_reached", "ended", "conflict"];

// The same purchase under the same key counts once: a ledger that knows the wish answers with its
// outcome. A pass that has expired meanwhile is not replaced here, since that may need a challenge.
async function sendAgain({ ticket, sale_id }: QueuedTicket): Promise<Outcome> {
  const lost: Outcome = { ticket, state: "lost" };
  const attempt = attemptOf(sale_id, ticket);
  if (!attempt?.pass) return lost;
  const { key, quantity, pass } = attempt;
  try {
    const path = `/sales/${encodeURIComponent(sale_id)}/orders/${pass.pass}`;
    const purchase = await post<Purchase>(path, { key, body: { quantity } });
    if (purchase.ticket !== ticket) keepAttempt(sale_id, { ...attempt, ticket: purchase.ticket });
    return outcomeOf(purchase);
  } catch (failure) {
    if (!(failure instanceof Problem) || failure.status === 429 || failure.status >= 500)
      throw failure;
    if (!finalCodes.includes(failure.code)) return lost;
    forgetAttempt(sale_id, ticket);
    return { ticket, state: "refused", reason: failure.code };
  }
}
