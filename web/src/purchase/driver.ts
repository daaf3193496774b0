// Does what the machine asks for: requests, waits, proofs of work. It stores the attempt where a
// reload and other tabs find it.

import { Away, get, post, Problem } from "../base/api";
import { isOnline, onNetworkChange } from "../base/online";
import { clock } from "../base/server_time";
import { currentUser, sessionEnded } from "../base/session";
import { forget, keep, kept, onKeptElsewhere } from "../base/storage";
import type { Challenge, News, Order, Pass, Purchase as Bought, Sale, Ticket } from "../base/types";
import { attemptPlace } from "./kept_attempt";
import {
  type Attempt,
  begin,
  challengeWanted,
  type Effect,
  type Event,
  type Machine,
  step,
} from "./machine";
import type { Report, Task } from "./pow.worker";

// How long the answer may wait for the decision. If it takes longer, the buyer should read that the
// ticket is queued.
const waitSeconds = 1;

export class PurchaseDriver {
  private machine: Machine;
  private buyer: string | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private worker: Worker | null = null;
  private news = 0;
  private stopListening = () => {};

  constructor(
    private readonly sale: string,
    { challenge, challenge_alternative }: Pick<Sale, "challenge" | "challenge_alternative">,
    private readonly changed: (machine: Machine) => void,
  ) {
    this.machine = begin(challenge, challenge_alternative);
  }

  // For the present user, if any; called again when the user changes.
  open(): void {
    // If the session ended during a purchase, the page says so, and does not treat it as a visit
    // without a session.
    if (this.machine.state.name === "signed_out" && !currentUser()) return;
    this.stop();
    this.buyer = currentUser()?.id ?? null;
    this.listen();
    this.happen({
      type: "opened",
      loggedIn: this.buyer !== null,
      attempt: this.stored(),
      now: now(),
    });
  }

  stop(): void {
    clearTimeout(this.timer);
    this.stopListening();
    this.worker?.terminate();
    this.worker = null;
  }

  press(quantity: number): void {
    this.happen({
      type: "pressed",
      quantity,
      kept: this.stored(),
      now: now(),
      chance: Math.random(),
    });
  }

  answer(text: string): void {
    this.happen({ type: "answered", answer: text });
  }

  askAnother(): void {
    this.happen({ type: "another_challenge" });
  }

  // For those who cannot see the picture: their device solves a proof of work instead.
  cannotRead(): void {
    this.happen({ type: "cannot_read" });
  }

  giveUp(): void {
    clearTimeout(this.timer);
    this.happen({ type: "gave_up" });
  }

  saleHeard(sale: Sale): void {
    const { challenge, challenge_alternative: alternative } = sale;
    this.machine = { ...this.machine, challenge, alternative };
    const asOf = sale.now ? Date.parse(sale.now) : now();
    const { state, stock } = sale;
    this.happen({ type: "sale", state, left: stock.left, asOf, chance: Math.random() });
  }

  orderHeard(order: Order): void {
    this.news++;
    this.happen({ type: "order", order, now: now() });
  }

  streamTurned(open: boolean): void {
    this.happen({ type: "stream", open, chance: Math.random() });
  }

  // Only news of the purchase that is shown; the same buyer may have others.
  newsHeard(news: News): void {
    const { state } = this.machine;
    const awaited =
      (news.type === "ticket" && state.name === "queued" && news.ticket === state.ticket) ||
      (news.type === "order" && state.name === "ordered" && news.id === state.order.id);
    if (!awaited) return;
    if (news.type === "order") return this.orderHeard(news);
    this.news++;
    this.happen({ type: "ticket", ticket: news, now: now() });
  }

  private listen(): void {
    const stops = [onNetworkChange(() => isOnline() && this.happen({ type: "woken", now: now() }))];
    if (this.buyer !== null) stops.push(onKeptElsewhere(this.place(), () => this.heardElsewhere()));
    this.stopListening = () => stops.forEach((stop) => stop());
  }

  private happen(event: Event): void {
    const before = this.machine;
    const { machine, effects } = step(before, event);
    this.machine = machine;
    // Stored before the request is sent: if the page dies with it, the next one finds the attempt.
    if (machine.attempt !== before.attempt) this.store(machine.attempt);
    if (machine.state.name !== "working") this.endWork();
    if (machine.state !== before.state) this.changed(machine);
    for (const effect of effects) void this.carryOut(effect);
  }

  private async carryOut(effect: Effect): Promise<void> {
    if (effect.do === "wake") {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.happen({ type: "woken", now: now() }), effect.after);
      return;
    }
    if (effect.do === "solve") return this.work(effect.challenge);
    const { buyer, news } = this;
    const event = await this.ask(effect);
    // News that came meanwhile are newer than the answer.
    const old = news !== this.news && (effect.do === "show_ticket" || effect.do === "show_order");
    // Somebody else may have logged in meanwhile; then the answer is not for them.
    if (buyer === this.buyer && !old) this.happen(event);
    if (event.type === "problem" && event.refusal.code === "unauthenticated") sessionEnded();
  }

  private async ask(effect: Exclude<Effect, { do: "wake" | "solve" }>): Promise<Event> {
    try {
      return await this.request(effect);
    } catch (failure) {
      if (!(failure instanceof Problem)) {
        if (!(failure instanceof Away)) throw failure;
        return { type: "away", effect, now: now(), chance: Math.random() };
      }
      if (failure.code === "not_found" && effect.do === "find_ticket")
        return { type: "no_ticket", now: now() };
      const { code, message: detail, ticket, requestId, retryAfterSeconds, reason } = failure;
      const refusal = { code, detail, ticket, requestId, retryAfterSeconds, reason };
      return { type: "problem", effect, refusal, now: now(), chance: Math.random() };
    }
  }

  private async request(effect: Exclude<Effect, { do: "wake" | "solve" }>): Promise<Event> {
    const sale = `/sales/${encodeURIComponent(this.sale)}`;
    switch (effect.do) {
      case "find_ticket":
        return { type: "ticket", ticket: await get<Ticket>(`${sale}/ticket`), now: now() };
      case "show_ticket":
        return {
          type: "ticket",
          ticket: await get<Ticket>(`/tickets/${effect.ticket}`),
          now: now(),
        };
      case "show_order":
        return { type: "order", order: await get<Order>(`/orders/${effect.id}`), now: now() };
      case "fetch_challenge": {
        const { kind } = effect;
        const options = kind ? { body: { kind } } : {};
        return {
          type: "challenged",
          challenge: await post<Challenge>(`${sale}/challenges`, options),
        };
      }
      case "fetch_pass": {
        const { challenge_id, answer } = effect;
        const body = challenge_id === undefined ? {} : { challenge_id, answer };
        return { type: "passed", pass: await post<Pass>(`${sale}/passes`, { body }) };
      }
      case "buy": {
        const { key, quantity, pass } = effect.attempt;
        const options = { key, body: { quantity }, prefer: `wait=${waitSeconds}` };
        return {
          type: "bought",
          purchase: await post<Bought>(`${sale}/orders/${pass!.pass}`, options),
          now: now(),
        };
      }
    }
  }

  private work(challenge: Task): void {
    const worker = new Worker(new URL("./pow.worker.ts", import.meta.url), { type: "module" });
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      if (this.worker !== worker) return;
      this.happen({ type: "tried", count: data.tried });
      if (data.answer !== undefined) this.happen({ type: "answered", answer: data.answer });
    };
    worker.onerror = () => {
      if (this.worker !== worker) return;
      const effect = challengeWanted(this.machine);
      this.happen({ type: "away", effect, now: now(), chance: Math.random() });
    };
    worker.postMessage({ prefix: challenge.prefix, bits: challenge.bits } satisfies Task);
  }

  private endWork(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  // Another tab of the same buyer is further on than this one: continue from there.
  private heardElsewhere(): void {
    const attempt = this.stored();
    const { name } = this.machine.state;
    const resting =
      name === "idle" || name === "refused" || name === "asked" || name === "signed_out";
    if (resting && (attempt?.pass || attempt?.ticket))
      this.happen({ type: "opened", loggedIn: true, attempt, now: now() });
  }

  private place(): string {
    return attemptPlace(this.buyer!, this.sale);
  }

  private stored(): Attempt | null {
    return this.buyer === null ? null : kept<Attempt>(this.place());
  }

  private store(attempt: Attempt | null): void {
    if (this.buyer === null) return;
    if (attempt) keep(this.place(), attempt);
    else forget(this.place());
  }
}

// Until the server's time is known the device's time is used, which only affects waits between
// retries.
function now(): number {
  return clock.now() ?? Date.now();
}
