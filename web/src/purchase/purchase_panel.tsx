// Shows the shopper the present state of the purchase.

import "./purchase.css";

import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { listedOnly } from "../base/audience";
import { spanOf } from "../base/countdown";
import { money, openingTime } from "../base/format";
import { mostAtOnce } from "../base/sales";
import { loginAddress } from "../base/session";
import type { MathChallenge, PowChallenge, Sale, SaleState, User } from "../base/types";
import { Countdown, Notice } from "../ui/parts";
import { hasText, text } from "../ui/texts";
import { useNow } from "../ui/use_now";
import { useOnline } from "../ui/use_online";
import { AudienceNotice } from "./audience_notice";
import type { PurchaseDriver } from "./driver";
import { canAskInstead, type Machine, type Refused as Refusal, type Waiting } from "./machine";
import { OrderedPanel } from "./ordered_panel";
import { QueuedPanel, QueuedRefusal } from "./queued_panel";
import { Reminder } from "./reminder";
import { SoldOut } from "./sold_out";
import type { Reminding } from "./use_reminder";
import type { Watch } from "./watch";

export type PanelProps = {
  sale: Sale;
  saleState: SaleState;
  machine: Machine;
  driver: PurchaseDriver;
  user: User | null;
  // The session ended while this page was open.
  loggedOut: boolean;
  // Units that the buyer has here.
  mine: number;
  // Whether the list of the sale names the user; null: not known, or it does not matter.
  listing: boolean | null;
  watch: Watch;
  reminding: Reminding;
};

export function PurchasePanel(props: PanelProps) {
  const { name } = props.machine.state;
  const panel = useRef<HTMLElement>(null);
  useFocusKept(panel, name);
  useInView(panel, name);
  return (
    <section
      class="purchase"
      ref={panel}
      tabIndex={-1}
      aria-label={text("purchase")}
      aria-live="polite"
      data-state={name}
    >
      <Inside {...props} />
    </section>
  );
}

// A pressed button does not exist in the next state, and the focus would be lost with it. For
// keyboard users the focus stays in the panel and does not go to the top of the page.
function useFocusKept(panel: RefObject<HTMLElement>, state: string) {
  const inside = useRef(false);
  const before = useRef(state);
  if (before.current !== state) inside.current = panel.current!.contains(document.activeElement);
  before.current = state;
  useLayoutEffect(() => {
    if (inside.current && document.activeElement === document.body)
      panel.current!.focus({ preventScroll: true });
  }, [state]);
}

// A question to the buyer, or an answer. On a phone it may appear outside of the visible part.
const news = ["asked", "queued", "ordered", "refused", "signed_out"];

function useInView(panel: RefObject<HTMLElement>, state: string) {
  useLayoutEffect(() => {
    if (!news.includes(state)) return;
    const { top } = panel.current!.getBoundingClientRect();
    // Its first lines matter; the buttons stay at the lower edge by themselves.
    const seen = top >= 0 && top < innerHeight / 2;
    if (!seen) panel.current!.scrollIntoView({ block: "start" });
  }, [state]);
}

function Inside(props: PanelProps) {
  const { machine, driver } = props;
  const { state } = machine;
  switch (state.name) {
    case "idle":
      return <Idle {...props} />;
    case "looking":
      return <Busy title={text("p_looking")} />;
    case "fetching":
      return <Busy title={text("p_fetching")} />;
    case "asked":
      return (
        <Asked
          key={state.challenge.challenge_id}
          {...state}
          driver={driver}
          instead={canAskInstead(machine)}
        />
      );
    case "working":
      return <Working challenge={state.challenge} tried={state.tried} driver={driver} />;
    case "checking":
      return <Busy title={text("p_checking")} more={text(`p_checking_${state.step}`)} />;
    case "waiting":
      return <Wait state={state} driver={driver} />;
    case "queued":
      return <QueuedPanel state={state} />;
    case "ordered":
      return <OrderedPanel {...props} order={state.order} limit={state.limit} />;
    case "refused":
      return <Refused {...props} state={state} />;
    case "signed_out":
      return (
        <>
          <Notice tone="warn" title={text("p_signed_out")}>
            {text("p_signed_out_more")}
          </Notice>
          <div class="next-step">
            <a class="button big" href={loginAddress()}>
              {text("log_in")}
            </a>
          </div>
        </>
      );
  }
}

function Idle(props: PanelProps) {
  const { sale, saleState, user, loggedOut, watch } = props;
  if (saleState === "ended")
    return <Notice title={text("no_ended")}>{text("no_ended_more")}</Notice>;
  if (saleState === "sold_out") return <SoldOut stock={sale.stock} watch={watch} />;
  if (saleState === "paused")
    return (
      <Notice tone="warn" icon="pause" title={text("p_paused")}>
        {text("p_paused_more")}
      </Notice>
    );
  const early = saleState === "scheduled";
  const back = watch.back && (
    <Notice tone="good" icon="bell" title={text("p_back")}>
      {text("p_back_more", { n: sale.stock.left })}
    </Notice>
  );
  const meant = <AudienceNotice sale={sale} loggedIn={user !== null} listing={props.listing} />;
  if (!user) {
    return (
      <>
        {back}
        {meant}
        {loggedOut && (
          <Notice tone="warn" title={text("p_signed_out")}>
            {text("p_logged_out_more")}
          </Notice>
        )}
        <div class="next-step">
          <a class="button hot big" href={loginAddress()}>
            {text("buy_log_in")}
          </a>
        </div>
        {early && <p class="small faint">{text("buy_log_in_early")}</p>}
        {early && <Reminder sale={sale} reminding={props.reminding} />}
      </>
    );
  }
  if (props.listing === false) return <NotListed {...props} early={early} />;
  return (
    <>
      {back}
      {meant}
      <Buy {...props} disabled={early} />
      {early && <p class="small faint">{text("buy_ready")}</p>}
      {early && <Reminder sale={sale} reminding={props.reminding} />}
    </>
  );
}

// Whoever is not on the list may buy when the sale opens to everybody, if it ever does.
function NotListed(props: PanelProps & { early: boolean }) {
  const { sale, reminding, early } = props;
  const opens = sale.listed_until;
  return (
    <>
      <AudienceNotice sale={sale} loggedIn listing={false} />
      {opens && (
        <Buy
          {...props}
          disabled
          label={text("buy_soon", { time: openingTime(opens, Date.now()) })}
        />
      )}
      {early && opens && <Reminder sale={sale} reminding={reminding} />}
    </>
  );
}

type BuyProps = PanelProps & { disabled?: boolean; label?: string; quiet?: boolean };

export function Buy({ sale, driver, mine, disabled = false, label, quiet = false }: BuyProps) {
  const [chosen, setChosen] = useState(1);
  const most = Math.max(1, mostAtOnce(sale, mine));
  const quantity = Math.min(chosen, most);
  const price = money(sale.price_cents * quantity, sale.currency);
  return (
    <form
      class={quiet ? "buy" : "buy next-step"}
      onSubmit={(event) => {
        event.preventDefault();
        driver.press(quantity);
      }}
    >
      {most > 1 && (
        <div class="field quantity">
          <label for="quantity">{text("quantity")}</label>
          <select
            id="quantity"
            value={quantity}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          >
            {Array.from({ length: most }, (_, i) => (
              <option key={i} value={i + 1}>
                {i + 1}
              </option>
            ))}
          </select>
        </div>
      )}
      <button class={`button big ${quiet ? "quiet" : "hot"}`} type="submit" disabled={disabled}>
        {label ??
          (disabled
            ? text("buy_soon", { time: openingTime(sale.starts_at, Date.now()) })
            : text("buy_at", { price }))}
      </button>
    </form>
  );
}

export function Busy({
  title,
  more,
  children,
}: {
  title: string;
  more?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="busy">
      <span class="spinner" aria-hidden="true" />
      <div>
        <strong>{title}</strong>
        {more && <p class="faint">{more}</p>}
        {children}
      </div>
    </div>
  );
}

type AskedProps = {
  challenge: MathChallenge;
  again: boolean;
  driver: PurchaseDriver;
  // Whether the sale has a way in for those who cannot see the picture.
  instead: boolean;
};

function Asked({ challenge, again, driver, instead }: AskedProps) {
  const [answer, setAnswer] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      class="asked"
      onSubmit={(event) => {
        event.preventDefault();
        if (answer.trim() !== "") driver.answer(answer.trim());
      }}
    >
      {again && <Notice tone="warn" title={text("p_asked_again")} />}
      <div class="field">
        <label for="answer">{text("p_asked")}</label>
        <img class="sum" src={challenge.image} alt={text("p_picture")} />
        <p class="hint" id="answer-hint">
          {text("p_asked_hint")} {text("p_asked_expires")}{" "}
          <Countdown to={Date.parse(challenge.expires_at)} onReached={() => driver.askAnother()} />
        </p>
        <input
          id="answer"
          ref={input}
          value={answer}
          onInput={(event) => setAnswer(event.currentTarget.value)}
          inputMode="numeric"
          autocomplete="off"
          maxLength={12}
          required
          placeholder={text("p_answer")}
          aria-describedby="answer-hint"
        />
      </div>
      <div class="row">
        <button class="button hot" type="submit">
          {text("p_answer_send")}
        </button>
        <button class="button quiet" type="button" onClick={() => driver.askAnother()}>
          {text("p_asked_new")}
        </button>
      </div>
      {instead && (
        <div class="row">
          <button
            class="button quiet"
            type="button"
            aria-describedby="instead-hint"
            onClick={() => driver.cannotRead()}
          >
            {text("p_cannot_read")}
          </button>
          <span class="small faint" id="instead-hint">
            {text("p_cannot_read_more")}
          </span>
        </div>
      )}
    </form>
  );
}

type WorkingProps = { challenge: PowChallenge; tried: number; driver: PurchaseDriver };

// The progress of a search cannot be known; shown is the probability that it would have ended by
// now.
function Working({ challenge, tried, driver }: WorkingProps) {
  const likely = 1 - Math.exp(-tried / 2 ** challenge.bits);
  const percent = Math.round(likely * 100);
  return (
    <div class="stack">
      <Busy title={text("p_working")} more={text("p_working_more")} />
      <div
        class="progress"
        role="progressbar"
        aria-label={text("p_working")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span style={{ width: `${percent}%` }} />
      </div>
      <div class="row">
        <span class="small faint figures" aria-live="off">
          {text("p_working_tried", { n: tried })}
        </span>
        <button class="button quiet small" type="button" onClick={() => driver.giveUp()}>
          {text("stop_waiting")}
        </button>
      </div>
    </div>
  );
}

const waitIcons = {
  too_fast: "clock",
  gate: "clock",
  pass_lapsed: "clock",
  place_missed: "clock",
  left_unpaid: "clock",
  network_full: "clock",
  busy: "clock",
  paused: "pause",
  not_started: "clock",
  away: "cloud",
} as const;

// Long waits are read in minutes.
function againIn(seconds: number): string {
  return seconds < 100
    ? text("p_again_in", { n: seconds })
    : text("p_again_in_time", { time: spanOf(seconds * 1000) });
}

function Wait({ state, driver }: { state: Waiting; driver: PurchaseDriver }) {
  const now = useNow();
  const online = useOnline();
  const seconds = Math.max(0, Math.ceil((state.until - (now ?? state.until)) / 1000));
  const why = state.why === "away" && !online ? "offline" : state.why;
  const more =
    state.why === "away" && !state.unknown
      ? "p_waiting_busy_more"
      : (`p_waiting_${state.why}_more` as const);
  return (
    <>
      <Notice tone="warn" icon={waitIcons[state.why]} title={text(`p_waiting_${why}`)}>
        {text(more)}
      </Notice>
      <div class="row">
        <span class="faint figures" aria-live="off">
          {state.trying || seconds === 0 ? text("p_again_now") : againIn(seconds)}
        </span>
        {!state.unknown && (
          <button class="button quiet small" type="button" onClick={() => driver.giveUp()}>
            {text("stop_waiting")}
          </button>
        )}
      </div>
    </>
  );
}

const noUseAgain = ["limit_reached", "forbidden"];

function Refused(props: PanelProps & { state: Refusal }) {
  const { sale, saleState, state, watch } = props;
  const now = useNow();
  const { left } = sale.stock;
  if (state.queued) {
    const again = saleState === "open" && left > 0 && !noUseAgain.includes(state.code);
    return (
      <>
        <QueuedRefusal code={state.code} />
        {again && <Buy {...props} label={text("try_again")} />}
        {saleState === "sold_out" && <SoldOut stock={sale.stock} watch={watch} />}
      </>
    );
  }
  if (state.code === "sold_out") {
    const fewer = saleState === "open" && left > 0 && left < state.quantity;
    return fewer ? <Fewer {...props} /> : <SoldOut stock={sale.stock} watch={watch} />;
  }
  if (state.code === "not_listed")
    return listedOnly(sale, now) ? (
      <NotListed {...props} early={false} />
    ) : (
      <Buy {...props} disabled={saleState !== "open"} />
    );
  const title = `no_${state.code}`;
  const more = `no_${state.code}_more`;
  return (
    <>
      <Notice
        tone={state.code === "ended" ? "plain" : "bad"}
        title={text(hasText(title) ? title : "p_refused")}
      >
        <p>{hasText(more) ? text(more) : state.detail || text("p_refused_more")}</p>
        {!hasText(title) && state.requestId && (
          <p class="small faint">{text("p_request_id", { id: state.requestId })}</p>
        )}
      </Notice>
      {saleState === "open" && !noUseAgain.includes(state.code) && (
        <Buy {...props} label={text("try_again")} />
      )}
    </>
  );
}

function Fewer(props: PanelProps) {
  return (
    <>
      <Notice tone="warn" icon="box" title={text("p_fewer", { n: props.sale.stock.left })}>
        {text("p_fewer_more")}
      </Notice>
      <Buy {...props} />
    </>
  );
}
