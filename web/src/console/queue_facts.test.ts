import { describe, expect, it } from "vitest";

import { concernsOf, secondsOf } from "./queue_facts";
import type { Queue } from "./types";

const well: Queue = {
  kind: "rabbitmq",
  connected: true,
  host: "broker-1:5672",
  problem: "",
  full: false,
  messages: 12,
  writers: 2,
  under_way: 4100,
  oldest_seconds: 2,
  pace_per_second: 2050,
  wait_seconds: 2,
  prepared: 0,
  parked: 0,
  unreadable: 0,
  unconfirmed: 3,
  confirmed_total: 90_000,
  returned_total: 0,
  refused_total: 0,
  unanswered_total: 0,
  redelivered_total: 0,
};

const kinds = (change: Partial<Queue>) =>
  concernsOf({ ...well, ...change }).map(({ kind }) => kind);

describe("the queue", () => {
  it("that is well raises no concern", () => {
    expect(kinds({})).toEqual([]);
  });

  it.each<[string[], Partial<Queue>]>([
    [["away"], { connected: false, problem: "connection refused" }],
    [["full"], { full: true }],
    [["no_writers"], { writers: 0 }],
    [[], { writers: 0, messages: 0 }],
    [["slow"], { oldest_seconds: 31 }],
    [[], { oldest_seconds: null }],
    [["parked"], { parked: 1 }],
    [["unreadable"], { unreadable: 2 }],
    [["away", "parked"], { connected: false, full: true, writers: 0, parked: 1 }],
  ])("has an operator look: %j", (expected, change) => {
    expect(kinds(change)).toEqual(expected);
  });

  it("is not missed where there is none", () => {
    expect(kinds({ kind: "none", connected: false, writers: 0, messages: 0 })).toEqual([]);
    expect(kinds({ kind: "none", connected: false, parked: 3 })).toEqual(["parked"]);
  });
});

describe("a wait", () => {
  it.each([
    [null, null],
    [0.4, { n: 0, unit: "s" }],
    [119, { n: 119, unit: "s" }],
    [150, { n: 3, unit: "min" }],
  ])("of %s seconds is read as %j", (seconds, read) => {
    expect(secondsOf(seconds)).toEqual(read);
  });
});
