// What operators should know about the servers that work together.

import type { Node } from "./types";

// Sales open and close by the clock of the node that is asked.
const clockMilliseconds = 500;

export type Tone = "good" | "warn" | "bad";

export const clockDiffers = (node: Node) =>
  node.clock_difference_ms !== null && Math.abs(node.clock_difference_ms) >= clockMilliseconds;

export const running = (nodes: Node[]) => nodes.filter((node) => node.state === "running");

export function versionsDiffer(nodes: Node[]): boolean {
  return new Set(running(nodes).map((node) => node.version)).size > 1;
}

// Every node looks at all copies, so the largest number is that of the cluster. Each drift was
// found by only one node.
export function driftOf(nodes: Node[]): { cold: number; drifting: number; drifts: number } {
  const copies = running(nodes).map((node) => node.hot_copies);
  return {
    cold: Math.max(0, ...copies.map((each) => each.cold)),
    drifting: Math.max(0, ...copies.map((each) => each.drifting)),
    drifts: copies.reduce((sum, each) => sum + each.drifts, 0),
  };
}

export function toneOfDrift({ cold, drifting, drifts }: ReturnType<typeof driftOf>): Tone {
  if (cold > 0 || drifting > 0) return "bad";
  return drifts > 0 ? "warn" : "good";
}
