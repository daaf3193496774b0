import "./calendar.css";

import { useEffect, useMemo, useState } from "preact/hooks";

import { clockTime, dateAndTime, dayOfWeek, periodText, zoneName } from "../base/format";
import { fetchEverySale } from "../base/sales";
import { clock } from "../base/server_time";
import type { Sale } from "../base/types";
import { saleTitle } from "../base/titles";
import { Icon } from "../ui/icon";
import { mount, useSaleState } from "../ui/page";
import { useOperates } from "../ui/use_user";
import { Empty, Skeleton } from "../ui/parts";
import { useAsked } from "./ask";
import { ConsolePage, Heading } from "./frame";
import {
  type Day,
  dayName,
  dayNamed,
  daysOf,
  type Entry,
  overlapsOf,
  periodOf,
  shifted,
  type View,
  views,
  type Window,
} from "./schedule";
import { words } from "./texts";

const refreshMilliseconds = 300_000; // all sales there are; a plan does not change by the second
const mostOverlaps = 20;

const asked = new URLSearchParams(location.search);
const today = () => new Date(clock.now() ?? Date.now());

function Calendar() {
  const { value: sales, away } = useAsked("/sales", refreshMilliseconds, fetchEverySale);
  const operates = useOperates();
  const [view, setView] = useState<View>(asked.get("view") === "month" ? "month" : "week");
  const [day, setDay] = useState(() => dayNamed(asked.get("day"), today()));
  useEffect(() => history.replaceState(null, "", `?view=${view}&day=${dayName(day)}`), [view, day]);
  return (
    <ConsolePage title={words("calendar")} away={away}>
      <Heading title={words("calendar")} lead={words("plan_lead", { zone: zoneName() })}>
        {operates && (
          <a class="button" href="/console/plan">
            {words("sale_new")}
          </a>
        )}
      </Heading>
      <Controls {...{ view, day, setView, setDay }} />
      {sales ? <Shown {...{ view, day, sales }} /> : <Skeleton height="24rem" />}
    </ConsolePage>
  );
}

type ControlsProps = {
  view: View;
  day: Date;
  setView: (view: View) => void;
  setDay: (day: Date) => void;
};

function Controls({ view, day, setView, setDay }: ControlsProps) {
  const { from, to } = periodOf(view, day);
  const go = (by: number) => setDay(shifted(view, day, by));
  return (
    <div class="calendar-controls">
      <h2 aria-live="polite">{periodText(view, from, to)}</h2>
      <div class="row">
        <button class="button quiet small" type="button" onClick={() => go(-1)}>
          <span aria-hidden="true">←</span>
          <span class="visually-hidden">{words(`calendar_last_${view}`)}</span>
        </button>
        <button class="button quiet small" type="button" onClick={() => setDay(today())}>
          {words("calendar_today")}
        </button>
        <button class="button quiet small" type="button" onClick={() => go(1)}>
          <span aria-hidden="true">→</span>
          <span class="visually-hidden">{words(`calendar_next_${view}`)}</span>
        </button>
        <div class="segments" role="group" aria-label={words("calendar_view")}>
          {views.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setView(name)}
            >
              {words(`calendar_${name}`)}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}

function Shown({ view, day, sales }: { view: View; day: Date; sales: Sale[] }) {
  const days = useMemo(() => daysOf(view, day, sales), [view, day, sales]);
  const none = days.every(({ outside, entries }) => outside || entries.length === 0);
  return (
    <>
      <Overlaps sales={sales} period={periodOf(view, day)} />
      {none && (
        <Empty icon="clock" title={words("calendar_none")}>
          <p>{words("calendar_none_more")}</p>
        </Empty>
      )}
      <ol class={none ? `calendar ${view} none` : `calendar ${view}`}>
        {days.map((shown) => (
          <OneDay key={shown.from} day={shown} />
        ))}
      </ol>
    </>
  );
}

function OneDay({ day }: { day: Day }) {
  const now = dayName(today()) === dayName(new Date(day.from));
  const look = [day.outside && "outside", now && "today", day.entries.length === 0 && "idle"];
  return (
    <li class={look.filter(Boolean).join(" ")} aria-current={now ? "date" : undefined}>
      <h3>
        <time dateTime={dayName(new Date(day.from))}>{dayOfWeek(day.from)}</time>
      </h3>
      {day.entries.length > 0 && (
        <ul>
          {day.entries.map((entry) => (
            <OneSale key={entry.sale.id} entry={entry} />
          ))}
        </ul>
      )}
    </li>
  );
}

function OneSale({ entry }: { entry: Entry }) {
  const { sale, overlaps } = entry;
  const state = useSaleState(sale);
  return (
    <li>
      <a class={`calendar-sale ${state}`} href={`/console/sale?id=${sale.id}`}>
        <span class="small figures">
          {hoursText(entry)}
          {overlaps && (
            <span class="calendar-overlap" title={words("calendar_overlaps")}>
              <Icon name="overlap" />
              <span class="visually-hidden">{words("calendar_overlaps")}</span>
            </span>
          )}
        </span>
        <strong>{saleTitle(sale)}</strong>
      </a>
    </li>
  );
}

function hoursText({ from, to, begins, ends }: Entry): string {
  if (begins && ends) return `${clockTime(from)} – ${clockTime(to)}`;
  if (begins) return words("calendar_from", { time: clockTime(from) });
  return ends ? words("calendar_until", { time: clockTime(to) }) : words("calendar_all_day");
}

function Overlaps({ sales, period }: { sales: Sale[]; period: Window }) {
  const overlaps = useMemo(() => overlapsOf(sales, period), [sales, period.from, period.to]);
  if (overlaps.length === 0) return null;
  const more = overlaps.length - mostOverlaps;
  return (
    <details class="calendar-overlaps panel">
      <summary>
        <Icon name="overlap" /> {words("calendar_overlap_count", { n: overlaps.length })}
      </summary>
      <ul>
        {overlaps.slice(0, mostOverlaps).map(({ one, other, from, to }) => (
          <li key={one.id + other.id}>
            <a href={`/console/sale?id=${one.id}`}>{saleTitle(one)}</a>
            {" + "}
            <a href={`/console/sale?id=${other.id}`}>{saleTitle(other)}</a>
            <span class="small faint figures below">
              {dateAndTime(from)} – {to === Infinity ? words("no_end") : dateAndTime(to)}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="small faint">{words("calendar_more", { n: more })}</p>}
    </details>
  );
}

mount(Calendar);
