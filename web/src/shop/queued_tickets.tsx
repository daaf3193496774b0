// Above the orders: tickets whose outcome is not known yet, or was a refusal that the buyer has not
// read.

import { useEffect, useState } from "preact/hooks";

import { forgetQueued, noteQueued, type QueuedTicket, queuedTickets } from "../base/queued";
import { askAgain, missingMilliseconds } from "../base/retry";
import { clock } from "../base/server_time";
import { followTicket, type Outcome } from "../purchase/follow_ticket";
import { forgetAttempt } from "../purchase/kept_attempt";
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
  function rename(entry: QueuedTicket, ticket: string) {
    noteQueued({ ...entry, ticket });
    forget(entry);
  }
  if (entries.length === 0) return null;
  return (
    <ul class="orders queued-tickets" aria-live="polite">
      {entries.map((entry) => (
        <Row
          key={entry.ticket}
          entry={entry}
          forget={() => forget(entry)}
          rename={(ticket) => rename(entry, ticket)}
          ordered={() => {
            forget(entry);
            ordered();
          }}
        />
      ))}
    </ul>
  );
}

type Heard = { rename: (ticket: string) => void; ordered: () => void };
type RowProps = Heard & { entry: QueuedTicket; forget: () => void };

function Row({ entry, forget, ...heard }: RowProps) {
  const { outcome, due } = useOutcome(entry, heard);
  const now = useNow();
  const refused = outcome?.state === "refused";
  const lost = outcome?.state === "lost";
  function understood() {
    // Whoever does not wait any more does not want it to be sent again either.
    if (lost) forgetAttempt(entry.sale_id, entry.ticket);
    forget();
  }
  return (
    <li class="order-row queued">
      <div class="order-row-text">
        <h2>
          <a href={`/sale?id=${entry.sale_id}`}>{entry.title}</a>
        </h2>
        <p class="small faint">
          {refused ? refusalText(outcome.reason) : lost ? text("queued_lost") : dueText(due, now)}
        </p>
        {refused && <p class="small faint">{text("p_queued_refused_more")}</p>}
      </div>
      <div class="order-row-end">
        <span class={`badge ${refused ? "refused" : "queued"}`}>
          {text(refused ? "state_refused" : "state_queued")}
        </span>
        {(refused || lost) && (
          <button class="button quiet small" type="button" onClick={understood}>
            {text("understood")}
          </button>
        )}
      </div>
    </li>
  );
}

// While nobody can say what came of it, such as after Redis was lost, it is shown as it was.
function useOutcome(entry: QueuedTicket, { rename, ordered }: Heard) {
  const [shown, setShown] = useState<{ outcome: Outcome | null; due: number | null }>({
    outcome: null,
    due: null,
  });
  useEffect(() => {
    const poller = askAgain(async () => {
      const outcome = await followTicket(entry);
      const { state, ticket } = outcome;
      if (state === "ordered" || state === "refused" || ticket !== entry.ticket) poller.stop();
      if (state === "ordered") ordered();
      else if (ticket !== entry.ticket) rename(ticket);
      const wait = state === "queued" ? outcome.waitSeconds : undefined;
      const now = clock.now() ?? Date.now();
      setShown({ outcome, due: wait ? now + wait * 1000 : null });
      return state === "lost" ? missingMilliseconds : askMilliseconds;
    });
    return poller.stop;
  }, [entry.ticket]);
  return shown;
}
