// Tickets between the claim and the order: how many are under way, how long they take, what carries
// them, and those that no writer could write.

import "./live.css";

import { number } from "../base/format";
import { mount } from "../ui/page";
import { Notice, Skeleton } from "../ui/parts";
import { useAsked } from "./ask";
import { ConsolePage, Heading, NotHere } from "./frame";
import { Parked } from "./parked";
import { concernsOf, secondsOf } from "./queue_facts";
import { words } from "./texts";
import type { Queue } from "./types";

// Often while something waits.
const pace = (queue: Queue) => (queue.under_way > 0 ? 2000 : 5000);

function QueuePage() {
  const queue = useAsked<Queue>("/admin/queue", pace);
  return (
    <ConsolePage title={words("place_queue")} away={queue.away}>
      <Heading title={words("place_queue")} lead={words("queue_lead")} />
      {queue.missing && <NotHere what={words("place_queue")} />}
      {!queue.missing && !queue.value && <Skeleton height="20rem" />}
      {queue.value && (
        <div class="stack">
          <Concerns queue={queue.value} />
          <Tiles queue={queue.value} />
          <Carrier queue={queue.value} />
        </div>
      )}
      <Parked count={queue.value?.parked ?? null} changed={queue.refresh} />
    </ConsolePage>
  );
}

function Concerns({ queue }: { queue: Queue }) {
  return (
    <div class="warnings" role="status">
      {concernsOf(queue).map(({ kind, tone }) => (
        <Notice key={kind} tone={tone} title={words(`queue_${kind}`)}>
          {kind === "away" && queue.problem !== "" && (
            <p>
              <code>{queue.problem}</code>
            </p>
          )}
          <p>{words(`queue_${kind}_more`)}</p>
        </Notice>
      ))}
    </div>
  );
}

function Tiles({ queue }: { queue: Queue }) {
  const idle = queue.under_way === 0;
  return (
    <dl class="tiles figures">
      <Tile name="left" title="under_way" value={number(queue.under_way)} />
      <Tile name="held" title="oldest" value={spanText(idle ? null : queue.oldest_seconds)} />
      <Tile
        name="rate"
        title="pace"
        value={number(Math.round(queue.pace_per_second * 10) / 10)}
        more={idle ? "" : words("queue_wait", { time: spanText(queue.wait_seconds) })}
      />
      <Tile name="sold" title="parked" value={number(queue.parked)} />
    </dl>
  );
}

type TileProps = {
  name: string;
  title: "under_way" | "oldest" | "pace" | "parked";
  value: string;
  more?: string;
};

function Tile({ name, title, value, more }: TileProps) {
  return (
    <div class={`tile ${name}`}>
      <dt>{words(`tile_${title}`)}</dt>
      <dd>
        <strong>{value}</strong>
        <span class="small faint">{more || words(`tile_${title}_more`)}</span>
      </dd>
    </div>
  );
}

function spanText(seconds: number | null): string {
  const span = secondsOf(seconds);
  if (!span) return "–";
  return words(span.unit === "s" ? "span_seconds" : "span_minutes", { n: span.n });
}

function Carrier({ queue }: { queue: Queue }) {
  if (queue.kind === "none")
    return (
      <Notice title={words("queue_none")}>
        <p>{words("queue_none_more")}</p>
      </Notice>
    );
  const light = !queue.connected || queue.full ? "bad" : "good";
  return (
    <section class="panel stack">
      <h2>{words("broker")}</h2>
      <p class={`light ${light}`}>
        <span class="lamp" aria-hidden="true" />
        <strong>
          {words(!queue.connected ? "broker_away" : queue.full ? "broker_full" : "broker_ready")}
        </strong>
      </p>
      <p class="small faint breakable">
        {queue.kind} {queue.host}
      </p>
      <dl class="pairs figures">
        <Pair name="messages" value={queue.messages} />
        <Pair name="writers" value={queue.writers} />
        <Pair name="prepared" value={queue.prepared} />
        <Pair name="unreadable" value={queue.unreadable} />
      </dl>
      <h3>{words("broker_of_node")}</h3>
      <dl class="pairs figures">
        <Pair name="unconfirmed" value={queue.unconfirmed} />
        <Pair name="confirmed" value={queue.confirmed_total} />
        <Pair name="returned" value={queue.returned_total} />
        <Pair name="refused" value={queue.refused_total} />
        <Pair name="unanswered" value={queue.unanswered_total} />
        <Pair name="redelivered" value={queue.redelivered_total} />
      </dl>
      <p class="small faint">{words("broker_note")}</p>
    </section>
  );
}

type Part =
  | "messages"
  | "writers"
  | "prepared"
  | "unreadable"
  | "unconfirmed"
  | "confirmed"
  | "returned"
  | "refused"
  | "unanswered"
  | "redelivered";

function Pair({ name, value }: { name: Part; value: number }) {
  return (
    <div>
      <dt>{words(`broker_${name}`)}</dt>
      <dd>{number(value)}</dd>
    </div>
  );
}

mount(QueuePage);
