// One sale while it runs: what is happening, and one button for each emergency.

import "./live.css";

import { useEffect, useMemo, useState } from "preact/hooks";

import { dateAndTime, money, number, timeOfDay } from "../base/format";
import type { Sale, SaleState } from "../base/types";
import { saleTitle } from "../base/titles";
import { mount, useSaleState } from "../ui/page";
import { useOperates } from "../ui/use_user";
import { Countdown, Empty, Skeleton, StateBadge } from "../ui/parts";
import { type Asked, useAsked } from "./ask";
import { ConsolePage } from "./frame";
import { Health } from "./health";
import { Holds } from "./holds";
import { LiveActions } from "./live_actions";
import { LiveChart } from "./live_chart";
import { type Range, usePast } from "./past";
import {
  lookAgainAfter,
  projectedEnd,
  type Sample,
  sampleOf,
  saleRate,
  withHistory,
  withSample,
} from "./samples";
import { readiness } from "./readiness";
import { SaleFacts } from "./sale_facts";
import { words } from "./texts";
import { Traffic } from "./traffic";
import type { Stats } from "./types";
import { Warnings } from "./warnings";

const asked = new URLSearchParams(location.search);
const saleId = asked.get("id") ?? "";
const saleMilliseconds = 8000; // its stock comes with the figures
const readyMilliseconds = 10_000;

function Live() {
  const path = saleId ? `/sales/${encodeURIComponent(saleId)}` : "";
  const { value: sale, missing, away, refresh } = useAsked<Sale>(path, saleMilliseconds);
  const operates = useOperates();
  return (
    <ConsolePage title={sale ? saleTitle(sale) : words("live")} away={away} wide={operates}>
      {(missing || !saleId) && (
        <Empty icon="box" title={words("sale_missing")} alone>
          <a class="button" href="/console/">
            {words("place_sales")}
          </a>
        </Empty>
      )}
      {!missing && saleId && !sale && <Skeleton height="30rem" />}
      {sale && operates && <Shown sale={sale} refresh={refresh} />}
      {sale && !operates && <SaleFacts sale={sale} />}
    </ConsolePage>
  );
}

function Shown({ sale, refresh }: { sale: Sale; refresh: () => void }) {
  const state = useSaleState(sale);
  const [wall, setWall] = useWall();
  const [seen, setSeen] = useState<Sample[]>([]);
  const [range, setRange] = useState<Range>("hour");
  const [lookedAt, setLookedAt] = useState<number | null>(null);
  const end = sale.state === "open" ? projectedEnd(seen) : null;
  const live = useAsked<Stats>(`/admin/sales/${sale.id}/stats`, () =>
    lookAgainAfter(seen, Date.parse(sale.starts_at), end),
  );
  const ready = useAsked("/readyz", readyMilliseconds, readiness);
  const now = useMemo(() => latest(sale, live), [sale, live.value, live.missing]);
  useEffect(() => {
    if (now) setSeen((before) => withSample(before, now));
  }, [now]);
  const memory = usePast(sale.id, range, lookedAt !== null);
  const samples = useMemo(() => withHistory(seen, memory ?? []), [seen, memory]);
  const past = lookedAt === null ? null : (samples.find(({ at }) => at >= lookedAt) ?? null);
  // What the figures show first: it has sold out, it is available again, or stock was added.
  useEffect(() => void (now && refresh()), [now?.left === 0, now?.total]);
  return (
    <div class="live">
      <Title sale={sale} state={state} refresh={refresh} wall={wall} setWall={setWall} />
      <Warnings stats={live.value} ready={ready.value} />
      <Tiles
        sale={sale}
        sample={past ?? now ?? { at: 0, ...sale.stock }}
        rate={past ? null : saleRate(seen)}
        end={past ? null : end}
      />
      <LiveChart
        {...{ sale, state, samples, memory, range, setRange, end, past }}
        look={setLookedAt}
      />
      <Traffic live={live} past={past?.figures ?? null} />
      <Health saleId={sale.id} ready={ready} />
      <Holds saleId={sale.id} refresh={refresh} />
    </div>
  );
}

// One source for the stock and the figures beside it, so that both are of the same instant. Where
// the server keeps no figures, the sale itself is read.
function latest(sale: Sale, { value, missing }: Asked<Stats>): Sample | null {
  if (value) return sampleOf(value);
  return missing ? { at: sale.now ? Date.parse(sale.now) : Date.now(), ...sale.stock } : null;
}

// Without a page load, which would lose what was seen; kept in the address, for a screen that is
// switched on each morning.
function useWall(): [boolean, (wall: boolean) => void] {
  const [wall, setWall] = useState(asked.has("wall"));
  useEffect(() => {
    document.documentElement.classList.toggle("wall", wall);
    history.replaceState(null, "", `?id=${encodeURIComponent(saleId)}${wall ? "&wall" : ""}`);
  }, [wall]);
  return [wall, setWall];
}

type TitleProps = {
  sale: Sale;
  state: SaleState;
  refresh: () => void;
  wall: boolean;
  setWall: (wall: boolean) => void;
};

function Title({ sale, state, refresh, wall, setWall }: TitleProps) {
  return (
    <header class="live-title">
      <div>
        <div class="row">
          <StateBadge state={state} />
          <span class="small faint figures">
            {money(sale.price_cents, sale.currency)} · {sale.id}
          </span>
        </div>
        <h1>{saleTitle(sale)}</h1>
        <p class="faint">
          {state === "scheduled" ? (
            <>
              {words("starts")} {dateAndTime(sale.starts_at)} ·{" "}
              <Countdown to={Date.parse(sale.starts_at)} />
            </>
          ) : sale.ends_at ? (
            <>
              {words("ends")} {dateAndTime(sale.ends_at)}
              {state !== "ended" && (
                <>
                  {" "}
                  · <Countdown to={Date.parse(sale.ends_at)} />
                </>
              )}
            </>
          ) : (
            words("no_end")
          )}
        </p>
      </div>
      {wall ? (
        <button class="button quiet small" type="button" onClick={() => setWall(false)}>
          {words("wall_leave")}
        </button>
      ) : (
        <LiveActions {...{ sale, state, refresh }} toWall={() => setWall(true)} />
      )}
    </header>
  );
}

type TilesProps = { sale: Sale; sample: Sample; rate: number | null; end: number | null };

// The price of a sale that has begun stays, so revenue is what was sold at it.
function Tiles({ sale, sample, rate, end }: TilesProps) {
  const revenue = money(sale.price_cents * sample.sold, sale.currency);
  return (
    <dl class="tiles figures">
      <Tile name="left" value={number(sample.left)} more={words("of_total", { n: sample.total })} />
      <Tile name="held" value={number(sample.held)} more={words("held_more")} />
      <Tile name="sold" value={number(sample.sold)} more={words("sold_more", { revenue })} />
      <Tile
        name="rate"
        value={rate === null ? "–" : number(Math.round(rate * 10) / 10)}
        more={end === null ? words("rate_more") : words("gone_at", { time: timeOfDay(end) })}
      />
    </dl>
  );
}

function Tile({
  name,
  value,
  more,
}: {
  name: "left" | "held" | "sold" | "rate";
  value: string;
  more: string;
}) {
  return (
    <div class={`tile ${name}`}>
      <dt>{words(`tile_${name}`)}</dt>
      <dd>
        <strong>{value}</strong>
        <span class="small faint">{more}</span>
      </dd>
    </div>
  );
}

mount(Live);
