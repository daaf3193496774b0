// One purchase, from the press of the button to the order, as a pure machine: an event and what is
// known so far give what is shown next and what is to be done. Time and chance come with the events.
//
// Two things make it safe to lose any reply, to reload at any moment, to press twice and to press in
// two tabs. The Idempotency-Key is not made up but follows from the buyer's latest ticket in the sale:
// whoever presses with the same past behind them makes the same attempt, and the server answers that
// with its first ticket, never with a second one. And the attempt is kept before the request that uses
// it is sent, so that it can be sent again until the server has said what came of it.

import type {
  Challenge,
  MathChallenge,
  Order,
  Pass,
  PowChallenge,
  Purchase,
  SaleState,
  Ticket,
} from "../base/types";
import { backOff, spread } from "../base/poll";

// What is stored in the browser; the next page or another tab continues from it.
export type Attempt = {
  key: string;
  quantity: number;
  aliveAt: number;
  pass?: Pass | undefined;
  ticket?: string;
  // The server has taken the ticket, and its outcome was not seen yet.
  queued?: true | undefined;
};

// `limit`: the order is shown because the buyer asked for more than the sale allows. `unknown`: the
// purchase may have happened. `interrupted`: what to show again once there is an answer.
export type State =
  | { name: "idle" }
  | { name: "looking"; limit: boolean }
  | { name: "fetching"; again: boolean }
  | { name: "asked"; challenge: MathChallenge; again: boolean }
  | { name: "working"; challenge: PowChallenge; tried: number }
  | { name: "checking"; step: "pass" | "buy" }
  | Waiting
  | Queued
  | { name: "ordered"; order: Order; limit: boolean }
  | Refused
  | { name: "signed_out" };

// `due`: when the server expects to have decided it. Null: it has not said.
export type Queued = { name: "queued"; ticket: string; due: number | null };

// `quantity`: how many were asked for. `queued`: the ticket was queued before, so the buyer was
// told to wait for this.
export type Refused = {
  name: "refused";
  code: string;
  detail: string;
  quantity: number;
  at: number;
  queued: boolean;
  requestId?: string | undefined;
};

export type Waiting = {
  name: "waiting";
  why: Why;
  until: number;
  trying: boolean;
  then: Effect;
  failures: number;
  unknown: boolean;
  interrupted: State;
};

export type Why =
  | "too_fast"
  | "gate"
  | "pass_lapsed"
  | "place_missed"
  | "left_unpaid"
  | "network_full"
  | "busy"
  | "paused"
  | "not_started"
  | "away";

export type Effect =
  | { do: "find_ticket" }
  | { do: "show_ticket"; ticket: string }
  | { do: "show_order"; id: string }
  | { do: "fetch_challenge"; kind?: "pow" }
  | { do: "solve"; challenge: PowChallenge }
  | { do: "fetch_pass"; challenge_id?: string; answer?: string }
  | { do: "buy"; attempt: Attempt }
  | { do: "wake"; after: number };

export type Refusal = {
  code: string;
  detail: string;
  ticket?: string | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  reason?: "pass_lapsed" | "place_missed" | "left_unpaid" | "network_full" | undefined;
};

export type Event =
  | { type: "opened"; loggedIn: boolean; attempt: Attempt | null; now: number }
  | { type: "pressed"; quantity: number; kept: Attempt | null; now: number; chance: number }
  | { type: "challenged"; challenge: Challenge }
  | { type: "another_challenge" }
  | { type: "cannot_read" }
  | { type: "answered"; answer: string }
  | { type: "tried"; count: number }
  | { type: "passed"; pass: Pass }
  | { type: "bought"; purchase: Purchase; now: number }
  | { type: "ticket"; ticket: Ticket; now: number }
  | { type: "no_ticket"; now: number }
  | { type: "order"; order: Order; now: number }
  | { type: "problem"; effect: Effect; refusal: Refusal; now: number; chance: number }
  | { type: "away"; effect: Effect; now: number; chance: number }
  | { type: "woken"; now: number }
  | { type: "sale"; state: SaleState; left: number; asOf: number; chance: number }
  | { type: "stream"; open: boolean; chance: number }
  | { type: "gave_up" };

type Answer = Extract<
  Event,
  { type: "challenged" | "passed" | "bought" | "ticket" | "no_ticket" | "order" }
>;

export type Machine = {
  challenge: "none" | "math" | "pow";
  alternative: "none" | "pow"; // what the sale offers in place of a picture
  instead: boolean; // the buyer cannot read pictures and has asked for the alternative
  state: State;
  attempt: Attempt | null;
  latest: string | null; // the buyer's latest ticket in this sale, as far as is known
  passesLost: number;
  streaming: boolean; // news of tickets and orders come by themselves
};

export type Step = { machine: Machine; effects: Effect[] };

// As long as a pass is valid.
const attemptLifeMilliseconds = 60_000;
// As long as the server may doubt that a ticket is lost.
const queuedLifeMilliseconds = 24 * 3_600_000;
const ticketMilliseconds = 700;
const mostTicketMilliseconds = 5000;
const orderMilliseconds = 4000;
// While the stream is open, polling only finds what the stream may have lost.
const streamedMilliseconds = 30_000;

const newsMilliseconds = 1000;
const mostPassesLost = 3;
const mostSpread = 5000;

const idle: State = { name: "idle" };

export function begin(
  challenge: Machine["challenge"],
  alternative: Machine["alternative"] = "none",
): Machine {
  return {
    challenge,
    alternative,
    instead: false,
    state: idle,
    attempt: null,
    latest: null,
    passesLost: 0,
    streaming: false,
  };
}

export function canAskInstead(machine: Machine): boolean {
  return machine.challenge === "math" && machine.alternative === "pow";
}

// As the sale has it, or as the buyer has asked for.
export function challengeWanted(machine: Machine): Extract<Effect, { do: "fetch_challenge" }> {
  const instead = machine.instead && canAskInstead(machine);
  return instead ? { do: "fetch_challenge", kind: "pow" } : { do: "fetch_challenge" };
}

export function step(machine: Machine, event: Event): Step {
  switch (event.type) {
    case "opened":
      if (!event.loggedIn) return to({ ...machine, attempt: null }, idle);
      return look({ ...machine, attempt: event.attempt, latest: null });
    case "pressed":
      return mayPress(machine.state) ? press(machine, event) : stay(machine);
    case "another_challenge":
      return machine.state.name === "asked" ? fetchChallenge(machine, false) : stay(machine);
    case "cannot_read":
      if (machine.state.name !== "asked" || !canAskInstead(machine)) return stay(machine);
      return fetchChallenge({ ...machine, instead: true }, false);
    case "answered":
      return answer(machine, event.answer);
    case "tried":
      if (machine.state.name !== "working") return stay(machine);
      return to(machine, { ...machine.state, tried: event.count });
    case "problem":
      return refused(machine, event);
    case "away":
      return wait(machine, "away", event, event.effect.do === "buy");
    case "woken":
      return woken(machine);
    case "sale":
      return saleHeard(machine, event);
    case "stream":
      return streamTurned({ ...machine, streaming: event.open }, event.chance);
    case "gave_up":
      return giveUp(machine);
    default:
      return told(
        machine.state.name === "waiting"
          ? { ...machine, state: machine.state.interrupted }
          : machine,
        event,
      );
  }
}

// A successful answer ends the waiting for it.
function told(machine: Machine, event: Answer): Step {
  switch (event.type) {
    case "challenged":
      return machine.state.name === "fetching" ? pose(machine, event.challenge) : stay(machine);
    case "passed":
      return machine.attempt
        ? buy({ ...machine.attempt, pass: event.pass }, machine)
        : stay(machine);
    case "bought":
      return bought(machine, event.purchase, event.now);
    case "ticket":
      return ticketShown(machine, event.ticket, event.now);
    case "no_ticket":
      return noTicket(machine, event.now);
    case "order":
      return orderShown(machine, event.order, event.now);
  }
}

function look(machine: Machine): Step {
  return to(machine, { name: "looking", limit: false }, { do: "find_ticket" });
}

// The machine is under way already, so a second click does nothing.
function mayPress(state: State): boolean {
  return state.name === "idle" || state.name === "refused" || state.name === "ordered";
}

function press(machine: Machine, event: Extract<Event, { type: "pressed" }>): Step {
  const { quantity, kept, now } = event;
  const key = keyAfter(machine.latest);
  // Another tab may have got a pass for the same attempt.
  const pass = kept?.key === key && kept.pass && isAlive(kept.pass, now) ? kept.pass : undefined;
  return goOn({ ...machine, attempt: { key, quantity, aliveAt: now, pass }, passesLost: 0 });
}

function keyAfter(ticket: string | null): string {
  return ticket === null ? "first" : `after-${ticket}`;
}

function ticketBefore(key: string): string | null {
  return key === keyAfter(null) ? null : key.slice(keyAfter("").length);
}

// The next request that the attempt needs.
function goOn(machine: Machine): Step {
  const attempt = machine.attempt!;
  if (attempt.pass) return buy(attempt, machine);
  if (machine.challenge !== "none") return fetchChallenge(machine, false);
  return to(machine, { name: "checking", step: "pass" }, { do: "fetch_pass" });
}

function fetchChallenge(machine: Machine, again: boolean): Step {
  return to(machine, { name: "fetching", again }, challengeWanted(machine));
}

function pose(machine: Machine, challenge: Challenge): Step {
  const again = machine.state.name === "fetching" && machine.state.again;
  if (challenge.kind === "math") return to(machine, { name: "asked", challenge, again });
  return to(machine, { name: "working", challenge, tried: 0 }, { do: "solve", challenge });
}

function answer(machine: Machine, text: string): Step {
  const { state } = machine;
  if (state.name !== "asked" && state.name !== "working") return stay(machine);
  const { challenge_id } = state.challenge;
  return to(
    machine,
    { name: "checking", step: "pass" },
    { do: "fetch_pass", challenge_id, answer: text },
  );
}

function buy(attempt: Attempt, machine: Machine): Step {
  return to({ ...machine, attempt }, { name: "checking", step: "buy" }, { do: "buy", attempt });
}

// Also after the buyer has given up waiting: what was bought is shown.
function bought(machine: Machine, purchase: Purchase, now: number): Step {
  const { ticket } = purchase;
  const next: Machine = {
    ...machine,
    latest: ticket,
    attempt: machine.attempt && { ...machine.attempt, ticket },
  };
  if (purchase.state === "queued") return queue(next, ticket, purchase.wait_seconds, now);
  const checking: State = { name: "checking", step: "buy" };
  return to(seen(next), checking, { do: "show_order", id: purchase.order_id });
}

// The outcome of a ticket that was queued is known now.
function seen(machine: Machine): Machine {
  const { attempt } = machine;
  return attempt?.queued ? { ...machine, attempt: { ...attempt, queued: undefined } } : machine;
}

function queue(
  machine: Machine,
  ticket: string,
  seconds: number | null | undefined,
  now: number,
): Step {
  const { attempt } = machine;
  const noted = attempt?.ticket === ticket && !attempt.queued;
  const due = seconds ? now + seconds * 1000 : null;
  return to(
    noted ? { ...machine, attempt: { ...attempt, queued: true } } : machine,
    { name: "queued", ticket, due },
    { do: "wake", after: machine.streaming ? streamedMilliseconds : untilAskedAgain(due, now) },
  );
}

// In a long queue tickets are asked about less often, since everybody in it asks.
function untilAskedAgain(due: number | null, now: number): number {
  const part = due === null ? 0 : (due - now) / 4;
  return Math.min(mostTicketMilliseconds, Math.max(ticketMilliseconds, part));
}

// While looking, this may be the ticket of an earlier attempt. The attempt that we stored may be a
// newer one whose reply was lost; only sending it again shows that.
function ticketShown(before: Machine, ticket: Ticket, now: number): Step {
  const machine: Machine = { ...before, latest: ticket.ticket };
  const { attempt } = machine;
  const newer = attempt !== null && attempt.ticket !== ticket.ticket;
  if (machine.state.name === "looking" && newer && attempt.pass && isAlive(attempt.pass, now))
    return buy(attempt, machine);
  if (machine.state.name === "looking" && newer && attempt.ticket && isWaitedFor(attempt, now))
    return to(machine, stillQueued(attempt.ticket), { do: "show_ticket", ticket: attempt.ticket });
  if (ticket.state === "queued") return queue(machine, ticket.ticket, ticket.wait_seconds, now);
  if (ticket.state === "ordered" && ticket.order_id)
    return { machine: seen(machine), effects: [{ do: "show_order", id: ticket.order_id }] };
  if (machine.state.name === "looking" && newer) return resume(machine, now);
  const queued =
    machine.state.name === "queued" ||
    (attempt?.ticket === ticket.ticket && attempt.queued === true);
  return end(machine, { code: ticket.reason ?? "sold_out", detail: "" }, now, queued);
}

const stillQueued = (ticket: string): Queued => ({ name: "queued", ticket, due: null });

// The buyer was told to wait for it, and not so long ago that nobody expects it any more.
function isWaitedFor({ queued, aliveAt }: Attempt, now: number): boolean {
  return queued === true && now - aliveAt < queuedLifeMilliseconds;
}

function noTicket(machine: Machine, now: number): Step {
  const { attempt, state } = machine;
  const lost = state.name === "looking" && attempt !== null && isWaitedFor(attempt, now);
  return lost ? sendAgain(machine, attempt) : resume(machine, now);
}

// If this browser has not kept the attempt, it cannot send it again, and looks for what there is.
function ticketLost(machine: Machine, ticket: string): Step {
  const { attempt, state } = machine;
  if (state.name !== "queued" || state.ticket !== ticket) return stay(machine); // a late answer
  return attempt?.ticket === ticket ? sendAgain(machine, attempt) : look(machine);
}

// The server does not know a ticket that the buyer was told to wait for: it was lost. The same
// purchase is sent again under the same key, so that it counts once: a ledger that knows the wish
// answers with its outcome. The ticket stays in view meanwhile.
function sendAgain(before: Machine, attempt: Attempt): Step {
  const machine: Machine = { ...before, latest: ticketBefore(attempt.key) };
  if (!attempt.pass || !attempt.ticket) return goOn(machine);
  const shown = machine.state.name === "queued" ? machine.state : stillQueued(attempt.ticket);
  return to(machine, shown, { do: "buy", attempt });
}

// Nothing was bought yet. An attempt that was under way a moment ago is continued; an older one is
// dropped.
function resume(machine: Machine, now: number): Step {
  const { attempt, state } = machine;
  if (state.name !== "looking") return stay(machine);
  if (!attempt || attempt.ticket) return to({ ...machine, attempt: null }, idle);
  if (attempt.pass && isAlive(attempt.pass, now)) return buy(attempt, machine);
  if (now - attempt.aliveAt < attemptLifeMilliseconds)
    return goOn({ ...machine, attempt: { ...attempt, pass: undefined } });
  return to({ ...machine, attempt: null }, idle);
}

function orderShown(machine: Machine, order: Order, now: number): Step {
  const { state } = machine;
  const limit = (state.name === "ordered" || state.name === "looking") && state.limit;
  const over = order.state !== "pending" && order.state !== "paid";
  if (state.name === "looking" && over)
    return limit ? end(machine, { code: "limit_reached", detail: "" }, now) : resume(machine, now);
  const next: Machine = over ? { ...machine, attempt: null } : machine;
  const shown: State = { name: "ordered", order, limit };
  if (order.state !== "pending") return to(next, shown);
  const left = Math.max(250, Date.parse(order.expires_at) - now);
  const usual = machine.streaming ? streamedMilliseconds : orderMilliseconds;
  return to(next, shown, { do: "wake", after: Math.min(usual, left) });
}

function refused(machine: Machine, event: Extract<Event, { type: "problem" }>): Step {
  const { effect, refusal } = event;
  const { attempt } = machine;
  switch (refusal.code) {
    case "unauthenticated":
      // A pass belongs to its session; the key belongs to the buyer and finds the ticket again.
      return to(
        { ...machine, attempt: attempt && { ...attempt, pass: undefined } },
        { name: "signed_out" },
      );
    case "rate_limited":
      return wait(machine, "too_fast", event);
    case "gate_closed":
      return wait(machine, refusal.reason ?? "gate", event);
    case "paused":
      return wait(machine, "paused", event);
    case "not_started":
      return wait(machine, "not_started", event);
    case "busy":
      // With a ticket: the server has given that attempt up for good. Nothing was taken.
      if (!refusal.ticket || !attempt) return wait(machine, "busy", event);
      return wait(renewed(machine, attempt, refusal.ticket), "busy", {
        ...event,
        effect: restart(machine),
      });
    case "unavailable":
    case "internal":
      return wait(machine, "busy", event, effect.do === "buy");
    case "challenge_failed":
      return fetchChallenge(machine, true);
    case "pass_invalid":
      if (!attempt || machine.passesLost === mostPassesLost)
        return end(machine, refusal, event.now);
      return goOn({
        ...machine,
        passesLost: machine.passesLost + 1,
        attempt: { ...attempt, pass: undefined },
      });
    case "invalid":
      // The operator took the alternative away a moment ago.
      if (effect.do !== "fetch_challenge" || !effect.kind) return end(machine, refusal, event.now);
      return fetchChallenge({ ...machine, instead: false }, false);
    case "limit_reached":
      if (!refusal.ticket) return end(machine, refusal, event.now);
      return to(
        { ...machine, attempt: null },
        { name: "looking", limit: true },
        { do: "show_ticket", ticket: refusal.ticket },
      );
    case "idempotency_mismatch":
      return look({ ...machine, attempt: null });
    case "not_found":
      return effect.do === "show_ticket" && machine.state.name === "queued"
        ? ticketLost(machine, effect.ticket)
        : end(machine, refusal, event.now);
    default:
      return end(machine, refusal, event.now);
  }
}

// A refusal with a ticket is final; the next press is another attempt.
function end(
  machine: Machine,
  refusal: Refusal,
  at: number,
  queued = machine.attempt?.queued === true,
): Step {
  const { code, detail, requestId, ticket } = refusal;
  const quantity = machine.attempt?.quantity ?? 1;
  return to(
    { ...machine, attempt: null, latest: ticket ?? machine.latest },
    { name: "refused", code, detail, quantity, at, queued, requestId },
  );
}

const restart = (machine: Machine): Effect =>
  machine.challenge === "none" ? { do: "fetch_pass" } : challengeWanted(machine);

function renewed(machine: Machine, { quantity, aliveAt }: Attempt, ticket: string): Machine {
  const attempt: Attempt = { key: keyAfter(ticket), quantity, aliveAt };
  // There is no ticket any more that could stay in view.
  const queued = machine.state.name === "queued";
  const state: State = queued ? { name: "checking", step: "buy" } : machine.state;
  return { ...machine, state, latest: ticket, attempt };
}

type Setback = { effect: Effect; refusal?: Refusal; now: number; chance: number };

function wait(machine: Machine, why: Why, setback: Setback, unknown = false): Step {
  const { state } = machine;
  const { effect, refusal, now, chance } = setback;
  const earlier = state.name === "waiting" ? state : null;
  const failures = earlier?.failures ?? 0;
  // Never earlier than told; later by chance, so that those who were told the same do not all come
  // at once. By a few seconds only: a long wait is for one person alone.
  const told = (refusal?.retryAfterSeconds ?? 0) * 1000;
  const after = told
    ? told + chance * Math.min(told / 4, mostSpread)
    : spread(backOff(failures, why === "not_started" ? 250 : 1000), chance);
  const wake: Effect = { do: "wake", after };
  // An order or a ticket stays visible while news of it is late.
  if (state.name === "ordered" || state.name === "queued") return { machine, effects: [wake] };
  const { attempt } = machine;
  if (state.name === "looking" && attempt?.ticket && isWaitedFor(attempt, now))
    return to(machine, stillQueued(attempt.ticket), wake);
  const waiting: Waiting = {
    name: "waiting",
    why,
    until: now + after,
    trying: false,
    then: effect,
    failures: failures + 1,
    unknown: unknown || (earlier !== null && staysUnknown(earlier, effect, why)),
    interrupted:
      effect.do === "fetch_challenge"
        ? { name: "fetching", again: false }
        : (earlier?.interrupted ?? state),
  };
  return to({ ...machine, attempt: attempt && { ...attempt, aliveAt: now } }, waiting, wake);
}

// If a purchase may have happened, only a refusal about the sale excludes it: before such a refusal
// the server looks for the earlier attempt. A node that is overloaded, or that finds us too fast,
// has not looked.
function staysUnknown(earlier: Waiting, effect: Effect, why: Why): boolean {
  return earlier.unknown && effect.do === "buy" && why !== "paused" && why !== "not_started";
}

function woken(machine: Machine): Step {
  const { state } = machine;
  if (state.name === "queued")
    return { machine, effects: [{ do: "show_ticket", ticket: state.ticket }] };
  if (state.name === "ordered")
    return { machine, effects: [{ do: "show_order", id: state.order.id }] };
  return state.name === "waiting" ? tryNow(machine, state) : stay(machine);
}

function tryNow(machine: Machine, state: Waiting): Step {
  return state.trying ? stay(machine) : to(machine, { ...state, trying: true }, state.then);
}

// A purchase that may have happened cannot be given up.
function giveUp(machine: Machine): Step {
  const { state } = machine;
  if (state.name === "waiting" && (state.unknown || (state.trying && state.then.do === "buy")))
    return stay(machine);
  return to({ ...machine, attempt: null, instead: false }, idle);
}

// A unit may still be shown as left a moment after its last claim; only later news means that it is
// available again.
function saleHeard(machine: Machine, sale: Extract<Event, { type: "sale" }>): Step {
  const { state } = machine;
  if (
    state.name === "refused" &&
    state.code === "sold_out" &&
    !state.queued && // a promise that was not kept is not passed over
    sale.state === "open" &&
    sale.left >= state.quantity &&
    sale.asOf > state.at + newsMilliseconds
  )
    return to(machine, idle);
  // Nobody should solve a challenge for a sale that sells nothing.
  if (state.name === "asked" || state.name === "working") {
    const { asOf: now, chance } = sale;
    if (sale.state === "ended") return end(machine, { code: "ended", detail: "" }, now);
    if (sale.state === "paused")
      return wait(machine, "paused", { effect: challengeWanted(machine), now, chance });
  }
  const resumed = state.name === "waiting" && state.why === "paused" && sale.state !== "paused";
  return resumed ? tryNow(machine, state) : stay(machine);
}

// The server has accepted the purchase, and its outcome is not final yet.
export function awaitsNews({ state }: Machine): boolean {
  return state.name === "queued" || (state.name === "ordered" && state.order.state === "pending");
}

// What happened before the stream opened can only be found by asking. When it breaks, polling takes
// over, spread over time.
function streamTurned(machine: Machine, chance: number): Step {
  if (!awaitsNews(machine)) return stay(machine);
  const usual = machine.state.name === "queued" ? ticketMilliseconds : orderMilliseconds;
  const after = machine.streaming ? 0 : spread(usual, chance);
  return { machine, effects: [{ do: "wake", after }] };
}

function isAlive(pass: Pass, now: number): boolean {
  return now < Date.parse(pass.expires_at);
}

function to(machine: Machine, state: State, ...effects: Effect[]): Step {
  return { machine: { ...machine, state }, effects };
}

function stay(machine: Machine): Step {
  return { machine, effects: [] };
}
