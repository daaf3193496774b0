// The server has taken the ticket and writes it at the ledger's pace. Shows what that promises,
// what it does not, and when it will be decided.

import { spanOf } from "../base/countdown";
import { Notice } from "../ui/parts";
import { hasText, text } from "../ui/texts";
import { useNow } from "../ui/use_now";
import type { Queued } from "./machine";
import { Busy } from "./purchase_panel";

export function QueuedPanel({ state }: { state: Queued }) {
  const now = useNow();
  return (
    <Busy title={text("p_queued")} more={text("p_queued_more")}>
      <p class="queued-due figures" aria-live="off">
        {dueText(state.due, now)}
      </p>
      <p class="small faint">{text("p_queued_not_yet")}</p>
      <p class="small faint">
        {text("p_ticket")} <code>{state.ticket}</code> ·{" "}
        <a class="nowrap" href="/orders">
          {text("nav_orders")}
        </a>
      </p>
    </Busy>
  );
}

// The text stays true if it takes longer.
export function dueText(due: number | null, now: number | null): string {
  if (due === null || now === null) return text("p_queued_soon");
  if (due <= now) return text("p_queued_late");
  const seconds = Math.max(1, Math.round((due - now) / 1000));
  return seconds < 100
    ? text("p_queued_about", { n: seconds })
    : text("p_queued_about_time", { time: spanOf(seconds * 1000) });
}

// A refusal after the buyer was told to wait is shown as such, with its reason.
export function QueuedRefusal({ code }: { code: string }) {
  return (
    <Notice tone="bad" title={text("p_queued_refused")}>
      <p>{refusalText(code)}</p>
      <p>{text("p_queued_refused_more")}</p>
    </Notice>
  );
}

export function refusalText(code: string): string {
  const key = `queued_no_${code}`;
  return text(hasText(key) ? key : "queued_no_conflict");
}
