// Above the orders: tickets whose outcome is not known yet, or was a refusal that the buyer has not
// read.

import { useEffect, useState } from "preact/hooks";

import { get, Problem } from "../base/api";
import { clock } from "../base/server_time";
import { forgetQueued, type QueuedTicket, queuedTickets } from "../base/queued";
import { askAgain } from "../base/retry";
import type { Ticket } from "../base/types";
import { dueText, refusalText } from "../purchase/queued_panel";
import { text } from "../ui/texts";
import { useNow } from "../ui/use_now";

const askMilliseconds = 2000;

// `ordered` is called when a ticket has become an order.
export function QueuedTickets({ ordered }: { ordered: () => void }) {
  const [entries, setEntries] = useState(queuedTickets);
  function forget({ ticket }: QueuedTicket) {
    forgetQueued(ticket);
    setEntries(queuedTickets());
  }
  if (entries.length === 0) return null;
  return (
    <ul class="orders queued-tickets" aria-live="polite">
      {entries.map((entry) => (
        <Row
          key={entry.ticket}
          entry={entry}
          forget={() => forget(entry)}
          ordered={() => {
            forget(entry);
            ordered();
          }}
        />
      ))}
    </ul>
  );
}

type RowProps = { entry: QueuedTicket; forget: () => void; ordered: () => void };

function Row({ entry, forget, ordered }: RowProps) {
  const { state, due } = useOutcome(entry.ticket, ordered, forget);
  const now = useNow();
  const refused = state !== null && state.state === "refused";
  return (
    <li class="order-row queued">
      <div class="order-row-text">
        <h2>
          <a href={`/sale?id=${entry.sale_id}`}>{entry.title}</a>
        </h2>
        <p class="small faint">
          {refused ? refusalText(state.reason ?? "conflict") : dueText(due, now)}
        </p>
        {refused && <p class="small faint">{text("p_queued_refused_more")}</p>}
      </div>
      <div class="order-row-end">
        <span class={`badge ${refused ? "refused" : "queued"}`}>
          {text(refused ? "state_refused" : "state_queued")}
        </span>
        {refused && (
          <button class="button quiet small" type="button" onClick={forget}>
            {text("understood")}
          </button>
        )}
      </div>
    </li>
  );
}

function useOutcome(ticket: string, ordered: () => void, unknown: () => void) {
  const [outcome, setOutcome] = useState<{ state: Ticket | null; due: number | null }>({
    state: null,
    due: null,
  });
  useEffect(() => {
    const poller = askAgain(
      async () => {
        const found = await get<Ticket>(`/tickets/${ticket}`);
        if (found.state === "ordered") {
          poller.stop();
          ordered();
        }
        const wait = found.state === "queued" ? found.wait_seconds : undefined;
        const now = clock.now() ?? Date.now();
        setOutcome({ state: found, due: wait ? now + wait * 1000 : null });
        if (found.state === "refused") poller.stop();
        return askMilliseconds;
      },
      (failure) => {
        const isGone = failure instanceof Problem && failure.code === "not_found";
        if (!isGone) return;
        poller.stop();
        unknown();
      },
    );
    return poller.stop;
  }, [ticket]);
  return outcome;
}
