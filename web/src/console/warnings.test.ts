import { expect, it } from "vitest";

import type { Readiness, Stats } from "./types";
import { warningsOf } from "./warnings";

const ready = (detail: string): Readiness => ({
  ready: true,
  parts: [
    { name: "ledger", ready: true, detail: "", notices: [] },
    { name: "clock", ready: true, detail, notices: [] },
  ],
});
const hot = (state: string) => ({ hot_copy: { state } }) as unknown as Stats;
const titles = (stats: Stats | null, told: Readiness | null) =>
  warningsOf(stats, told).map(({ title }) => title);

it("warns of a clock that was changed, with what the server says of it", () => {
  expect(warningsOf(null, ready("3.0 s behind the shop's time"))).toEqual([
    {
      title: "The server’s clock was changed. The sale keeps its own time.",
      detail: "3.0 s behind the shop's time",
    },
  ]);
  expect(titles(null, ready(""))).toEqual([]);
});

it("warns of any part that has something to say, and not of one that is not ready", () => {
  const parts = [
    { name: "backup", ready: true, detail: "disk full", notices: [] },
    { name: "gauge", ready: true, detail: "odd", notices: [] },
    { name: "ledger", ready: false, detail: "away", notices: [] },
  ];
  expect(titles(null, { ready: false, parts })).toEqual(["The last backup failed.", "gauge"]);
});

it("warns of a stock in memory that is not there or does not fit", () => {
  expect(titles(hot("cold"), null)).toHaveLength(1);
  expect(titles(hot("drifting"), null)).toHaveLength(1);
  expect(titles(hot("warm"), null)).toEqual([]);
  expect(titles(hot("none"), null)).toEqual([]);
  expect(titles({} as Stats, null)).toEqual([]);
});
