import { describe, expect, it } from "vitest";

import { stateOf, toneOf } from "./alert_facts";
import type { AlertChannel } from "./types";

const channel: AlertChannel = {
  name: "wecom",
  to: "https://qyapi.weixin.qq.com/…",
  waiting: 0,
  sent: 0,
  failed: 0,
  last_sent_at: null,
  last_failure: null,
};
const early = "2026-11-19T08:00:00.000Z";
const late = "2026-11-19T08:00:05.000Z";
const failure = (at: string) => ({ at, reason: "the receiver answered 503" });

describe("a channel", () => {
  it.each([
    ["untold", null, null],
    ["well", early, null],
    ["failing", null, failure(early)],
    ["failing", early, failure(late)],
    ["well", late, failure(early)],
    ["well", late, failure(late)],
  ] as const)("is %s", (state, last_sent_at, last_failure) => {
    expect(stateOf({ ...channel, last_sent_at, last_failure })).toBe(state);
  });
});

describe("an alert", () => {
  it.each([
    ["bad", "not_ready", "begun"],
    ["good", "not_ready", "over"],
    ["bad", "webhook_given_up", "event"],
    ["bad", "second_factor_guessed", "event"],
    ["plain", "sold_out", "event"],
  ] as const)("is %s", (tone, kind, phase) => {
    expect(toneOf({ kind, phase })).toBe(tone);
  });
});
