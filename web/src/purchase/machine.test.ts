import { describe, expect, it } from "vitest";

import type { MathChallenge, Order, Pass, PowChallenge, SaleState, Ticket } from "../base/types";
import {
  type Attempt,
  awaitsNews,
  begin,
  type Effect,
  type Event,
  type Machine,
  type Refusal,
  type State,
  step,
} from "./machine";

const now = Date.parse("2026-11-11T12:00:00.000Z");
const later = (milliseconds: number) => new Date(now + milliseconds).toISOString();
const chance = 0.5;
const pass: Pass = { pass: "P", expires_at: later(60_000) };
const attempt: Attempt = { key: "first", quantity: 1, aliveAt: now };
const sum: MathChallenge = {
  challenge_id: "c",
  kind: "math",
  expires_at: later(60_000),
  image: "data:,",
};
const work: PowChallenge = {
  challenge_id: "c",
  kind: "pow",
  expires_at: later(60_000),
  prefix: "x",
  bits: 8,
};
const buy = (tried: Attempt): Effect => ({ do: "buy", attempt: tried });

const press: Event = { type: "pressed", quantity: 1, kept: null, now, chance };
const opened = (kept: Attempt | null): Event => ({
  type: "opened",
  loggedIn: true,
  attempt: kept,
  now,
});
const away = (effect: Effect, at = now): Event => ({ type: "away", effect, now: at, chance });

function problem(code: string, effect: Effect, more: Partial<Refusal> = {}): Event {
  return { type: "problem", effect, refusal: { code, detail: "told", ...more }, now, chance };
}

function ticket(state: Ticket["state"], more: Partial<Ticket> = {}): Event {
  return { type: "ticket", ticket: { ticket: "T", sale_id: "S", state, ...more } as Ticket, now };
}

function heard(state: SaleState, left = 1, asOf = now): Event {
  return { type: "sale", state, left, asOf, chance };
}

function order(state: Order["state"]): Order {
  return { id: "O", state, expires_at: later(900_000) } as Order;
}

function run(events: Event[], machine: Machine = begin("none")) {
  let effects: Effect[] = [];
  for (const event of events) ({ machine, effects } = step(machine, event));
  return { machine, state: machine.state, attempt: machine.attempt, effects };
}

const name = (state: State) => state.name;

describe("a purchase without a challenge", () => {
  it("asks for a pass, buys with it, and shows the order", () => {
    const pressed = run([press]);
    expect(pressed.effects).toEqual([{ do: "fetch_pass" }]);
    expect(pressed.attempt).toEqual(attempt);

    const passed = run([{ type: "passed", pass }], pressed.machine);
    expect(passed.effects).toEqual([buy({ ...attempt, pass })]);
    expect(passed.attempt?.pass).toEqual(pass);

    const bought = run(
      [{ type: "bought", purchase: { ticket: "T", state: "ordered", order_id: "O" }, now }],
      passed.machine,
    );
    expect(bought.effects).toEqual([{ do: "show_order", id: "O" }]);
    expect(bought.attempt?.ticket).toBe("T");

    const shown = run([{ type: "order", order: order("pending"), now }], bought.machine);
    expect(shown.state).toEqual({ name: "ordered", order: order("pending"), limit: false });
  });

  it("is one purchase however often the button is pressed", () => {
    const { machine, attempt: first } = run([press]);
    const again = run([press], machine);
    expect(again.effects).toEqual([]);
    expect(again.attempt).toBe(first);
  });

  it("waits in the queue, asking for its ticket", () => {
    const woken = run([{ type: "woken", now }], inQueue.machine);
    expect(woken.effects).toEqual([{ do: "show_ticket", ticket: "T" }]);
    const ordered = run([ticket("ordered", { order_id: "O" })], woken.machine);
    expect(ordered.effects).toEqual([{ do: "show_order", id: "O" }]);
    const refused = run([ticket("refused", { reason: "sold_out" })], woken.machine);
    expect(refused.state).toMatchObject({ name: "refused", code: "sold_out", queued: true });
    expect(refused.attempt).toBeNull();
  });
});

const inQueue = run([
  press,
  { type: "passed", pass },
  { type: "bought", purchase: { ticket: "T", state: "queued", wait_seconds: 8 }, now },
]);

describe("a ticket in the queue", () => {
  it("is due when the server says, and asked about the less the longer it takes", () => {
    expect(inQueue.state).toEqual({ name: "queued", ticket: "T", due: now + 8000 });
    expect(inQueue.effects).toEqual([{ do: "wake", after: 2000 }]);
    const long = run([ticket("queued", { wait_seconds: 600 })], inQueue.machine);
    expect(long.effects).toEqual([{ do: "wake", after: 5000 }]);
    const soon = run([ticket("queued", { wait_seconds: 1 })], inQueue.machine);
    expect(soon.state).toEqual({ name: "queued", ticket: "T", due: now + 1000 });
    expect(soon.effects).toEqual([{ do: "wake", after: 700 }]);
  });

  it("has no due time that nobody told", () => {
    const { state, effects } = run([ticket("queued")]);
    expect(state).toEqual({ name: "queued", ticket: "T", due: null });
    expect(effects).toEqual([{ do: "wake", after: 700 }]);
  });

  it("is known as queued after a reload, so that a refusal is explained", () => {
    expect(inQueue.attempt).toMatchObject({ ticket: "T", queued: true });
    const found = [opened(inQueue.attempt), ticket("refused", { reason: "sold_out" })];
    expect(run(found).state).toMatchObject({ name: "refused", queued: true });
    const never = [opened({ ...attempt, ticket: "T" }), ticket("refused", { reason: "sold_out" })];
    expect(run(never).state).toMatchObject({ name: "refused", queued: false });
  });

  it("that is refused stays so when units come back", () => {
    const refused = run([ticket("refused", { reason: "sold_out" })], inQueue.machine);
    const back = run([heard("open", 5, now + 60_000)], refused.machine);
    expect(back.state).toBe(refused.state);
    expect(run([press], back.machine).effects).toEqual([{ do: "fetch_pass" }]);
  });

  it("stays in view while nobody answers", () => {
    const shown = run([away({ do: "show_ticket", ticket: "T" })], inQueue.machine);
    expect(shown.state).toBe(inQueue.state);
    expect(shown.effects).toMatchObject([{ do: "wake" }]);
  });
});

describe("a ticket in the queue that the server cannot find", () => {
  const show: Effect = { do: "show_ticket", ticket: "T" };
  const told = inQueue.attempt!;
  const lost = problem("not_found", show);
  const found = (state: "queued" | "ordered", other: string): Event => ({
    type: "bought",
    purchase:
      state === "ordered"
        ? { ticket: other, state, order_id: "O" }
        : { ticket: other, state, wait_seconds: 8 },
    now,
  });

  it("and does not know whether it was lost, is asked about again as told, for ever", () => {
    let { machine } = inQueue;
    for (let i = 0; i < 50; i++) {
      const unsure = run([problem("unavailable", show, { retryAfterSeconds: 4 })], machine);
      expect(unsure.state).toBe(inQueue.state);
      expect(unsure.attempt).toBe(told);
      expect(unsure.effects).toEqual([{ do: "wake", after: 4500 }]);
      const woken = run([{ type: "woken", now: now + i * 4500 }], unsure.machine);
      expect(woken.effects).toEqual([show]);
      ({ machine } = woken);
    }
  });

  it.each([
    ["503", problem("unavailable", { do: "find_ticket" })],
    ["no answer", away({ do: "find_ticket" })],
  ])("is shown as queued after a reload with %s, and asked about", (_, failure) => {
    const shown = run([opened(told), failure]);
    expect(shown.state).toEqual({ name: "queued", ticket: "T", due: null });
    expect(shown.attempt).toBe(told);
    expect(shown.effects).toEqual([{ do: "wake", after: 1000 }]);
    expect(run([{ type: "woken", now }], shown.machine).effects).toEqual([show]);
  });

  it("is bought again under the same key when it is lost, and stays in view", () => {
    const again = run([lost], inQueue.machine);
    expect(again.state).toBe(inQueue.state);
    expect(again.effects).toEqual([buy(told)]);
    expect(told).toMatchObject({ key: "first", ticket: "T", pass });

    const replayed = run([found("ordered", "T")], again.machine);
    expect(replayed.effects).toEqual([{ do: "show_order", id: "O" }]);
    const other = run([found("queued", "U")], again.machine);
    expect(other.state).toEqual({ name: "queued", ticket: "U", due: now + 8000 });
    expect(other.attempt).toMatchObject({ key: "first", ticket: "U", queued: true });
    expect(run([lost], other.machine).effects, "a late answer about the old ticket").toEqual([]);
  });

  it("is bought again after a reload, too", () => {
    const again = run([opened(told), { type: "no_ticket", now: now + 3_600_000 }]);
    expect(again.state).toEqual({ name: "queued", ticket: "T", due: null });
    expect(again.effects).toEqual([buy(told)]);
  });

  it("is not bought again a day later", () => {
    const { state, attempt: kept } = run([
      opened(told),
      { type: "no_ticket", now: now + 24 * 3_600_000 },
    ]);
    expect([name(state), kept]).toEqual(["idle", null]);
  });

  it("is asked about by name when the latest that is found is an older one", () => {
    const expired = { ...told, pass: { pass: "P", expires_at: later(-1) } };
    const older: Event = {
      type: "ticket",
      ticket: { ticket: "older", sale_id: "S", state: "ordered", order_id: "A" } as Ticket,
      now,
    };
    const asked = run([opened(expired), older]);
    expect(asked.state).toEqual({ name: "queued", ticket: "T", due: null });
    expect(asked.effects).toEqual([show]);
    expect(run([lost], asked.machine).effects).toEqual([buy(expired)]);
  });

  it("gets another pass under the same key when the old one has expired", () => {
    const refused = problem("pass_invalid", buy(told));
    const passing = run([lost, refused], inQueue.machine);
    expect(passing.effects).toEqual([{ do: "fetch_pass" }]);
    const bought = run([{ type: "passed", pass }], passing.machine);
    expect(bought.effects).toEqual([buy(told)]);
    const without = run([opened({ ...told, pass: undefined }), { type: "no_ticket", now }]);
    expect(without.effects).toEqual([{ do: "fetch_pass" }]);
  });

  it.each([
    ["unavailable", problem("unavailable", buy(told))],
    ["paused", problem("paused", buy(told))],
    ["rate_limited", problem("rate_limited", buy(told))],
    ["without an answer", away(buy(told))],
  ])("stays in the queue while buying it again is %s", (_, setback) => {
    const waits = run([lost, setback], inQueue.machine);
    expect(waits.state).toBe(inQueue.state);
    expect(waits.effects).toEqual([{ do: "wake", after: 1000 }]);
    expect(run([{ type: "woken", now }, lost], waits.machine).effects).toEqual([buy(told)]);
  });

  it("whose units are gone is refused as one that was queued", () => {
    const over = run([lost, problem("sold_out", buy(told))], inQueue.machine);
    expect(over.state).toMatchObject({ name: "refused", code: "sold_out", queued: true });
    expect(run([press], over.machine).attempt?.key, "nothing came of the key").toBe("first");
  });

  it("and that the server then gives up is bought under another key", () => {
    const busy = problem("busy", buy(told), { ticket: "T", retryAfterSeconds: 4 });
    const waits = run([lost, busy], inQueue.machine);
    expect(waits.state).toMatchObject({ name: "waiting", why: "busy", then: { do: "fetch_pass" } });
    expect(waits.attempt).toMatchObject({ key: "after-T" });
  });

  it("is looked for anew where the browser has not kept the attempt", () => {
    const { state, effects } = run([opened(null), ticket("queued"), lost]);
    expect([name(state), effects]).toEqual(["looking", [{ do: "find_ticket" }]]);
  });

  it("counts as found once its order was seen", () => {
    const ordered = run([ticket("ordered", { order_id: "O" })], inQueue.machine);
    expect(ordered.attempt).toEqual({ ...told, queued: undefined });
    const gone = run([opened(ordered.attempt), { type: "no_ticket", now }]);
    expect([name(gone.state), gone.effects]).toEqual(["idle", []]);
  });
});

describe("a challenge", () => {
  it("is posed as a picture, and the answer goes with the request for a pass", () => {
    const asked = run([press, { type: "challenged", challenge: sum }], begin("math"));
    expect(asked.state).toEqual({ name: "asked", challenge: sum, again: false });
    const answered = run([{ type: "answered", answer: "13" }], asked.machine);
    expect(answered.effects).toEqual([{ do: "fetch_pass", challenge_id: "c", answer: "13" }]);
  });

  it("that failed is followed by another", () => {
    const failed = run(
      [
        press,
        { type: "challenged", challenge: sum },
        { type: "answered", answer: "12" },
        problem("challenge_failed", { do: "fetch_pass" }),
      ],
      begin("math"),
    );
    expect(failed.effects).toEqual([{ do: "fetch_challenge" }]);
    const asked = run([{ type: "challenged", challenge: sum }], failed.machine);
    expect(asked.state).toMatchObject({ name: "asked", again: true });
  });

  it("may be work, with progress", () => {
    const working = run([press, { type: "challenged", challenge: work }], begin("pow"));
    expect(working.effects).toEqual([{ do: "solve", challenge: work }]);
    const tried = run([{ type: "tried", count: 500 }], working.machine);
    expect(tried.state).toMatchObject({ name: "working", tried: 500 });
    const solved = run([{ type: "answered", answer: "ff" }], tried.machine);
    expect(solved.effects).toEqual([{ do: "fetch_pass", challenge_id: "c", answer: "ff" }]);
  });

  describe.each([
    ["math", sum],
    ["pow", work],
  ] as const)("of %s", (kind, challenge) => {
    const posed = run([press, { type: "challenged", challenge }], begin(kind));

    it("ends with the sale", () => {
      const { state, attempt: kept } = run([heard("ended")], posed.machine);
      expect(state).toMatchObject({ name: "refused", code: "ended" });
      expect(kept).toBeNull();
    });

    it("waits out a pause and is followed by another", () => {
      const paused = run([heard("paused")], posed.machine);
      expect(paused.state).toMatchObject({ name: "waiting", why: "paused" });
      const resumed = run([heard("open")], paused.machine);
      expect(resumed.effects).toEqual([{ do: "fetch_challenge" }]);
    });

    it("can be given up", () => {
      const { state, attempt: kept } = run([{ type: "gave_up" }], posed.machine);
      expect([name(state), kept]).toEqual(["idle", null]);
    });
  });

  it("whose work breaks is followed by another", () => {
    const working = run([press, { type: "challenged", challenge: work }], begin("pow"));
    const broken = run([away({ do: "fetch_challenge" }), { type: "woken", now }], working.machine);
    expect(broken.effects).toEqual([{ do: "fetch_challenge" }]);
    expect(run([{ type: "challenged", challenge: work }], broken.machine).effects).toEqual([
      { do: "solve", challenge: work },
    ]);
  });

  describe("that somebody cannot read", () => {
    const cannotRead: Event = { type: "cannot_read" };
    const pow: Effect = { do: "fetch_challenge", kind: "pow" };
    const asked = run([press, { type: "challenged", challenge: sum }], begin("math", "pow"));
    const working = run([cannotRead, { type: "challenged", challenge: work }], asked.machine);

    it("is followed by work, if the sale offers it", () => {
      expect(run([cannotRead], asked.machine).effects).toEqual([pow]);
      expect(working.effects).toEqual([{ do: "solve", challenge: work }]);
      const without = run([press, { type: "challenged", challenge: sum }], begin("math"));
      expect(run([cannotRead], without.machine)).toMatchObject({
        effects: [],
        state: without.state,
      });
    });

    it("stays work when something goes wrong", () => {
      const failed = problem("challenge_failed", { do: "fetch_pass" });
      const answered: Event = { type: "answered", answer: "ff" };
      expect(run([answered, failed], working.machine).effects).toEqual([pow]);
      const resumed = run([heard("paused"), heard("open")], working.machine);
      expect(resumed.effects).toEqual([pow]);
      const lost = run(
        [answered, { type: "passed", pass }, problem("pass_invalid", buy(attempt))],
        working.machine,
      );
      expect(lost.effects).toEqual([pow]);
    });

    it("is a picture again for whoever gave up", () => {
      expect(run([{ type: "gave_up" }, press], working.machine).effects).toEqual([
        { do: "fetch_challenge" },
      ]);
    });

    it("is a picture again when the operator took the work away", () => {
      const told = run([cannotRead, problem("invalid", pow)], asked.machine);
      expect(told.effects).toEqual([{ do: "fetch_challenge" }]);
    });
  });

  it("that comes after the wait for it is posed", () => {
    const waiting = run(
      [press, away({ do: "fetch_challenge" }), { type: "woken", now }],
      begin("math"),
    );
    expect(waiting.effects).toEqual([{ do: "fetch_challenge" }]);
    expect(name(run([{ type: "challenged", challenge: sum }], waiting.machine).state)).toBe(
      "asked",
    );
  });
});

describe("after a reload or in another tab", () => {
  it("a visitor who is not logged in has no purchase", () => {
    const { state, effects } = run([{ type: "opened", loggedIn: false, attempt: null, now }]);
    expect([name(state), effects]).toEqual(["idle", []]);
  });

  it("the ticket is looked for first", () => {
    expect(run([opened(null)]).effects).toEqual([{ do: "find_ticket" }]);
  });

  it.each<[Ticket["state"], Effect[]]>([
    ["queued", [{ do: "wake", after: 700 }]],
    ["ordered", [{ do: "show_order", id: "O" }]],
  ])("a ticket that is %s goes on", (state, effects) => {
    expect(
      run([opened({ ...attempt, ticket: "T" }), ticket(state, { order_id: "O" })]).effects,
    ).toEqual(effects);
  });

  it("a purchase without an answer is sent again as it was", () => {
    const sent = { ...attempt, pass };
    const { effects } = run([opened(sent), { type: "no_ticket", now: now + 59_999 }]);
    expect(effects).toEqual([buy(sent)]);
  });

  it("the same holds when an older ticket is found", () => {
    const sent = { ...attempt, pass };
    expect(run([opened(sent), ticket("ordered", { order_id: "O" })]).effects).toEqual([buy(sent)]);
  });

  it("an attempt that has no pass yet goes on with the same key", () => {
    const { effects, attempt: kept } = run([
      opened(attempt),
      { type: "no_ticket", now: now + 59_999 },
    ]);
    expect(effects).toEqual([{ do: "fetch_pass" }]);
    expect(kept?.key).toBe("first");
  });

  it("an attempt that was left behind is over", () => {
    const { state, attempt: kept } = run([
      opened({ ...attempt, pass }),
      { type: "no_ticket", now: now + 60_000 },
    ]);
    expect([name(state), kept]).toEqual(["idle", null]);
  });

  it("an order that is over does not stand in the way", () => {
    const { state } = run([
      opened({ ...attempt, ticket: "T" }),
      ticket("ordered", { order_id: "O" }),
      { type: "order", order: order("cancelled"), now },
    ]);
    expect(name(state)).toBe("idle");
  });

  it("a press in two tabs is the same attempt", () => {
    const tabs = [1, 2].map(() => run([opened(null), { type: "no_ticket", now }, press]));
    expect(tabs[0]!.attempt?.key).toBe(tabs[1]!.attempt?.key);
  });

  it("a press uses the pass that another tab has got for that attempt", () => {
    expect(run([{ ...press, kept: { ...attempt, pass } }]).effects).toEqual([
      buy({ ...attempt, pass }),
    ]);
    expect(run([{ ...press, kept: { ...attempt, key: "after-X", pass } }]).effects).toEqual([
      { do: "fetch_pass" },
    ]);
  });

  it("a purchase after a purchase is another attempt", () => {
    const first = run([
      opened(null),
      ticket("ordered", { order_id: "O" }),
      { type: "order", order: order("paid"), now },
    ]);
    expect(run([press], first.machine).attempt?.key).toBe("after-T");
  });
});

describe("a setback", () => {
  const bought = run([press, { type: "passed", pass }]);
  const sent = bought.effects[0]!;

  it.each([
    ["rate_limited", "too_fast"],
    ["gate_closed", "gate"],
    ["paused", "paused"],
    ["busy", "busy"],
    ["unavailable", "busy"],
    ["not_started", "not_started"],
  ])("%s is waited out as long as told", (code, why) => {
    const { state, effects } = run([problem(code, sent, { retryAfterSeconds: 4 })], bought.machine);
    expect(state).toMatchObject({ name: "waiting", why, until: now + 4500, then: sent });
    expect(effects).toEqual([{ do: "wake", after: 4500 }]);
  });

  it("adds only seconds to a long wait", () => {
    const { effects } = run(
      [problem("gate_closed", sent, { retryAfterSeconds: 900 })],
      bought.machine,
    );
    expect(effects).toEqual([{ do: "wake", after: 902_500 }]);
  });

  it.each(["pass_lapsed", "place_missed", "left_unpaid", "network_full"] as const)(
    "tells that not everybody waits: %s",
    (reason) => {
      const { state } = run([problem("gate_closed", sent, { reason })], bought.machine);
      expect(state).toMatchObject({ name: "waiting", why: reason });
    },
  );

  it("is followed by the same request", () => {
    const { effects, state } = run([problem("busy", sent), { type: "woken", now }], bought.machine);
    expect(effects).toEqual([sent]);
    expect(state).toMatchObject({ name: "waiting", trying: true });
  });

  it("backs off further each time", () => {
    const waits = run([away(sent)], bought.machine);
    const again = run([{ type: "woken", now }, away(sent)], waits.machine);
    expect([waits.effects, again.effects]).toEqual([
      [{ do: "wake", after: 1000 }],
      [{ do: "wake", after: 2000 }],
    ]);
  });

  it("without an answer cannot be given up, since the purchase may have happened", () => {
    const waits = run([away(sent)], bought.machine);
    expect(waits.state).toMatchObject({ unknown: true });
    expect(name(run([{ type: "gave_up" }], waits.machine).state)).toBe("waiting");
    const tooFast = run([{ type: "woken", now }, problem("rate_limited", sent)], waits.machine);
    expect(tooFast.state).toMatchObject({ unknown: true });
    const paused = run([{ type: "woken", now }, problem("paused", sent)], waits.machine);
    expect(paused.state).toMatchObject({ unknown: false });
    expect(name(run([{ type: "gave_up" }], paused.machine).state)).toBe("idle");
  });

  it("ends with the order when the answer comes at last", () => {
    const { effects } = run(
      [
        away(sent),
        { type: "woken", now },
        { type: "bought", purchase: { ticket: "T", state: "ordered", order_id: "O" }, now },
      ],
      bought.machine,
    );
    expect(effects).toEqual([{ do: "show_order", id: "O" }]);
  });

  it("keeps the attempt alive for a reload", () => {
    const { attempt: kept } = run([away(sent, now + 300_000)], bought.machine);
    expect(kept).toMatchObject({ key: "first", aliveAt: now + 300_000 });
  });

  it("from a pause ends as soon as the sale goes on, once", () => {
    const paused = run([problem("paused", sent, { retryAfterSeconds: 30 })], bought.machine);
    const resumed = run([heard("open", 1, now)], paused.machine);
    expect(resumed.effects).toEqual([sent]);
    expect(run([{ type: "woken", now }], resumed.machine).effects).toEqual([]);
  });

  it("while looking for the ticket does not lose the thread", () => {
    const looking = run([
      opened({ ...attempt, pass }),
      away({ do: "find_ticket" }),
      { type: "woken", now },
    ]);
    expect(looking.effects).toEqual([{ do: "find_ticket" }]);
    expect(run([{ type: "no_ticket", now }], looking.machine).effects).toEqual([
      buy({ ...attempt, pass, aliveAt: now }),
    ]);
  });

  it("does not hide an order", () => {
    const ordered = run([
      { type: "order", order: order("pending"), now },
      away({ do: "show_order", id: "O" }),
    ]);
    expect(name(ordered.state)).toBe("ordered");
    expect(ordered.effects).toEqual([{ do: "wake", after: 1000 }]);
  });
});

describe("a refusal", () => {
  const bought = run([press, { type: "passed", pass }]);
  const sent = bought.effects[0]!;

  it.each(["sold_out", "ended", "not_found", "forbidden", "invalid"])("%s is final", (code) => {
    const { state, attempt: kept } = run([problem(code, sent, { requestId: "r" })], bought.machine);
    expect(state).toMatchObject({ name: "refused", code, detail: "told", requestId: "r" });
    expect(kept).toBeNull();
  });

  it("for the limit leads to what the buyer has", () => {
    const limited = run([problem("limit_reached", sent, { ticket: "T" })], bought.machine);
    expect(limited.effects).toEqual([{ do: "show_ticket", ticket: "T" }]);
    const { state } = run(
      [ticket("ordered", { order_id: "O" }), { type: "order", order: order("paid"), now }],
      limited.machine,
    );
    expect(state).toEqual({ name: "ordered", order: order("paid"), limit: true });
  });

  it("of the pass fetches another, under the same key, but not for ever", () => {
    let { machine, effects } = run([problem("pass_invalid", sent)], bought.machine);
    expect(effects).toEqual([{ do: "fetch_pass" }]);
    for (let i = 0; i < 2; i++)
      ({ machine, effects } = run(
        [{ type: "passed", pass }, problem("pass_invalid", sent)],
        machine,
      ));
    expect(machine.attempt).toMatchObject({ key: "first", pass: undefined });
    const last = run([{ type: "passed", pass }, problem("pass_invalid", sent)], machine);
    expect(last.state).toMatchObject({ name: "refused", code: "pass_invalid" });
  });

  it("with a ticket that the server gave up starts anew under another key", () => {
    const over = run([problem("busy", sent, { ticket: "T" })], bought.machine);
    expect(over.attempt).toEqual({ key: "after-T", quantity: 1, aliveAt: now });
    expect(run([{ type: "woken", now }], over.machine).effects).toEqual([{ do: "fetch_pass" }]);
  });

  it("for want of a session keeps the key, which finds the ticket again", () => {
    const { state, attempt: kept } = run([problem("unauthenticated", sent)], bought.machine);
    expect(name(state)).toBe("signed_out");
    expect(kept).toMatchObject({ key: "first", pass: undefined });
  });

  it("of sold out ends when units come back, not when the news is old", () => {
    const soldOut = run([problem("sold_out", sent)], bought.machine);
    expect(name(run([heard("open", 1, now + 1000)], soldOut.machine).state)).toBe("refused");
    expect(name(run([heard("open", 1, now + 1001)], soldOut.machine).state)).toBe("idle");
  });

  it("for more than is left stands until as many are there", () => {
    const sent3 = run([
      { ...press, quantity: 3 },
      { type: "passed", pass },
    ]);
    const soldOut = run([problem("sold_out", sent3.effects[0]!)], sent3.machine);
    expect(soldOut.state).toMatchObject({ name: "refused", quantity: 3 });
    expect(name(run([heard("open", 2, now + 1001)], soldOut.machine).state)).toBe("refused");
    expect(name(run([heard("open", 3, now + 1001)], soldOut.machine).state)).toBe("idle");
  });

  it("with a ticket makes the next press another attempt", () => {
    const over = run([problem("sold_out", sent, { ticket: "T" })], bought.machine);
    expect(run([press], over.machine).attempt?.key).toBe("after-T");
    const without = run([problem("sold_out", sent)], bought.machine);
    expect(run([press], without.machine).attempt?.key).toBe("first");
  });
});

describe("an order in view", () => {
  const pending = run([{ type: "order", order: order("pending"), now }]);

  it("is asked about again, at the latest when its hold ends", () => {
    expect(pending.effects).toEqual([{ do: "wake", after: 4000 }]);
    const late = run([{ type: "order", order: order("pending"), now: now + 899_000 }]);
    expect(late.effects).toEqual([{ do: "wake", after: 1000 }]);
  });

  it("that is paid is asked about no more", () => {
    expect(run([{ type: "order", order: order("paid"), now }], pending.machine).effects).toEqual(
      [],
    );
  });

  it("that expired gives way to a new attempt", () => {
    const expired = run([{ type: "order", order: order("expired"), now }], pending.machine);
    expect(name(expired.state)).toBe("ordered");
    expect(run([press], expired.machine).effects).toEqual([{ do: "fetch_pass" }]);
  });
});

describe("the stream", () => {
  const stream = (open: boolean): Event => ({ type: "stream", open, chance });
  const queued = run([ticket("queued")]);
  const pending = run([{ type: "order", order: order("pending"), now }]);

  it.each([
    ["a ticket", queued, 700],
    ["an order", pending, 4000],
  ])("asks about %s when it opens, and takes up asking when it breaks", (_, shown, usual) => {
    expect(awaitsNews(shown.machine)).toBe(true);
    expect(shown.effects).toEqual([{ do: "wake", after: usual }]);
    const open = run([stream(true)], shown.machine);
    expect(open.effects).toEqual([{ do: "wake", after: 0 }]);
    expect(open.state).toBe(shown.state);
    expect(run([stream(false)], open.machine).effects).toEqual([{ do: "wake", after: usual }]);
  });

  it("makes asking rare while it is open", () => {
    const events = [stream(true), ticket("queued")];
    expect(run(events).effects).toEqual([{ do: "wake", after: 30_000 }]);
    const shown = run([stream(true), { type: "order", order: order("pending"), now }]);
    expect(shown.effects).toEqual([{ do: "wake", after: 30_000 }]);
  });

  it("does not keep an order from being asked about when its hold ends", () => {
    const late: Event = { type: "order", order: order("pending"), now: now + 899_000 };
    expect(run([stream(true), late]).effects).toEqual([{ do: "wake", after: 1000 }]);
  });

  it.each(["paid", "expired", "cancelled", "refunded"] as const)(
    "is not needed for an order that is %s",
    (state) => {
      const settled = run([{ type: "order", order: order(state), now }], pending.machine);
      expect(awaitsNews(settled.machine)).toBe(false);
      expect(run([stream(true)], settled.machine).effects).toEqual([]);
    },
  );
});
