import { describe, expect, it } from "vitest";

import { clockDiffers, driftOf, running, toneOfDrift, versionsDiffer } from "./node_facts";
import type { Node } from "./types";

const node = (more: Partial<Node> = {}): Node => ({
  id: "1",
  url: "http://10.0.0.1:8080",
  roles: ["edge", "writer", "keeper"],
  version: "0.1.0",
  state: "running",
  this_node: false,
  on_duty: false,
  started_at: "2026-11-17T08:00:00.000Z",
  last_seen_at: "2026-11-17T09:00:00.000Z",
  clock_difference_ms: 0,
  requests_per_second: 0,
  connections: 0,
  hot_copies: { copies: 3, cold: 0, drifting: 0, drifts: 0 },
  ...more,
});
const copies = (cold: number, drifting: number, drifts: number) => ({
  hot_copies: { copies: 3, cold, drifting, drifts },
});

describe("the facts about nodes", () => {
  it("warn of a clock that is half a second off, in either direction", () => {
    expect(clockDiffers(node({ clock_difference_ms: 499 }))).toBe(false);
    expect(clockDiffers(node({ clock_difference_ms: 500 }))).toBe(true);
    expect(clockDiffers(node({ clock_difference_ms: -500 }))).toBe(true);
    expect(clockDiffers(node({ clock_difference_ms: null }))).toBe(false);
  });

  it("compare the versions of those that run", () => {
    const older = node({ id: "2", version: "0.0.9" });
    expect(versionsDiffer([node(), older])).toBe(true);
    expect(versionsDiffer([node(), { ...older, state: "gone" }])).toBe(false);
    expect(running([node(), { ...older, state: "gone" }])).toHaveLength(1);
  });

  it("see the same cold copies from every node, and each drift once", () => {
    const all = [node(copies(2, 1, 3)), node({ id: "2", ...copies(2, 0, 1) })];
    expect(driftOf(all)).toEqual({ cold: 2, drifting: 1, drifts: 4 });
    expect(driftOf([node({ state: "gone", ...copies(2, 1, 3) })])).toEqual({
      cold: 0,
      drifting: 0,
      drifts: 0,
    });
    expect(driftOf([])).toEqual({ cold: 0, drifting: 0, drifts: 0 });
  });

  it("are red while something differs, and yellow when it was healed", () => {
    expect(toneOfDrift({ cold: 0, drifting: 0, drifts: 0 })).toBe("good");
    expect(toneOfDrift({ cold: 0, drifting: 0, drifts: 2 })).toBe("warn");
    expect(toneOfDrift({ cold: 1, drifting: 0, drifts: 0 })).toBe("bad");
    expect(toneOfDrift({ cold: 0, drifting: 1, drifts: 1 })).toBe("bad");
  });
});
