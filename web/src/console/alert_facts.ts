// What the page of alerts shows of the server's answer.

import type { Alert, AlertChannel } from "./types";

export type ChannelState = "untold" | "well" | "failing";

// The latest of success and failure counts.
export function stateOf({ last_sent_at, last_failure }: AlertChannel): ChannelState {
  if (!last_failure) return last_sent_at ? "well" : "untold";
  return last_sent_at && Date.parse(last_sent_at) >= Date.parse(last_failure.at)
    ? "well"
    : "failing";
}

export function toneOf({ kind, phase }: Pick<Alert, "kind" | "phase">): "good" | "plain" | "bad" {
  if (phase === "over") return "good";
  return kind === "sold_out" ? "plain" : "bad";
}
