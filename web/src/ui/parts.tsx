// The small parts that pages are made of.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { remaining, twoDigits, untilNextChange } from "../base/countdown";
import { discount, money } from "../base/format";
import { clock } from "../base/server_time";
import { ticking } from "../base/ticks";
import type { ItemOfSale, Sale, Stock } from "../base/types";
import { Icon, type IconName } from "./icon";
import { sourcesOf } from "./picture_sources";
import { hasText, text } from "./texts";

type Tone = "plain" | "good" | "warn" | "bad";
const toneIcon: Record<Tone, IconName> = {
  plain: "info",
  good: "check",
  warn: "clock",
  bad: "cross",
};

type NoticeProps = { tone?: Tone; icon?: IconName; title: string; children?: ComponentChildren };

export function Notice({ tone = "plain", icon, title, children }: NoticeProps) {
  return (
    <div class={`notice ${tone}`}>
      <Icon name={icon ?? toneIcon[tone]} />
      <strong>{title}</strong>
      {children && <div>{children}</div>}
    </div>
  );
}

export function StateBadge({ state }: { state: string }) {
  const key = `state_${state}`;
  return <span class={`badge ${state}`}>{hasText(key) ? text(key) : state}</span>;
}

type PriceProps = { sale: Pick<Sale, "price_cents" | "currency">; item: ItemOfSale; big?: boolean };

export function Price({ sale, item, big = false }: PriceProps) {
  const off = discount(sale.price_cents, item.list_price_cents);
  return (
    <p class={big ? "price big figures" : "price figures"}>
      <span class="visually-hidden">{text("price")} </span>
      <strong>{money(sale.price_cents, sale.currency)}</strong>
      {off !== null && (
        <>
          <span class="visually-hidden">{text("instead_of")} </span>
          <s>{money(item.list_price_cents, item.currency)}</s>
          <span class="badge discount">{text("discount", { off })}</span>
        </>
      )}
    </p>
  );
}

// Held units are shown apart from sold ones, because they may come back.
export function StockBar({ stock }: { stock: Stock }) {
  return (
    <div class="stock figures">
      <div class="bar" aria-hidden="true">
        {(["left", "held", "sold"] as const).map((kind) => (
          <span
            key={kind}
            class={kind}
            hidden={stock[kind] === 0}
            style={{ flexGrow: stock[kind] }}
          />
        ))}
      </div>
      <ul>
        <li class="is-left">{text("stock_left", { n: stock.left })}</li>
        {stock.held > 0 && <li class="is-held">{text("stock_held", { n: stock.held })}</li>}
        <li>{text("stock_sold", { n: stock.sold })}</li>
      </ul>
    </div>
  );
}

type CountdownProps = { to: number; tiles?: boolean; onReached?: () => void };

// Counts down by the server's clock, and calls back once, when the instant has come.
export function Countdown({ to, tiles = false, onReached }: CountdownProps) {
  const [left, setLeft] = useState(() => distance(to));
  const reached = useRef(onReached);
  reached.current = onReached;
  useEffect(() => {
    let told = false;
    const tick = (now: number | null) => {
      const distance = now === null ? null : to - now;
      setLeft(distance);
      if (distance === null || distance > 0 || told) return;
      told = true;
      reached.current?.();
    };
    return ticking((now) => untilNextChange(to - now), tick);
  }, [to]);

  const { days, hours, minutes, seconds } = remaining(left ?? 0);
  const unknown = left === null;
  const digits = [hours, minutes, seconds].map((part) => (unknown ? "––" : twoDigits(part)));
  if (!tiles) {
    return (
      <span class="countdown" role="timer">
        {days > 0 && <span>{text("days", { n: days })} </span>}
        {(days > 0 ? digits.slice(0, 2) : digits).join(":")}
      </span>
    );
  }
  const labels = [text("unit_hours"), text("unit_minutes"), text("unit_seconds")];
  return (
    <span class="countdown tiles" role="timer">
      {days > 0 && <Tile value={String(days)} label={text("unit_days")} />}
      {digits.map((value, i) => (
        <Tile key={labels[i]} value={value} label={labels[i]!} />
      ))}
    </span>
  );
}

function Tile({ value, label }: { value: string; label: string }) {
  return (
    <span>
      {value}
      <small>{label}</small>
    </span>
  );
}

function distance(to: number): number | null {
  const now = clock.now();
  return now === null ? null : to - now;
}

type PictureProps = { item: Pick<ItemOfSale, "image_url">; eager?: boolean };

// How wide it is shown: as the page's own picture, and in a list.
const wide = "(max-width: 60rem) 100vw, 40rem";
const narrow = "(max-width: 40rem) 100vw, 20rem";

export function Picture({ item, eager = false }: PictureProps) {
  const [broken, setBroken] = useState(false);
  useEffect(() => setBroken(false), [item.image_url]);
  const shown = item.image_url !== "" && !broken;
  return (
    <div class="picture">
      {shown ? (
        <img
          {...sourcesOf(item.image_url, eager ? wide : narrow)}
          src={item.image_url}
          alt=""
          width="640"
          height="480"
          loading={eager ? "eager" : "lazy"}
          onError={() => setBroken(true)}
        />
      ) : (
        <div class="blank">
          <Icon name="box" />
        </div>
      )}
    </div>
  );
}

// `alone`: it is the only content of the page, and so its heading.
type EmptyProps = { icon: IconName; title: string; alone?: boolean; children?: ComponentChildren };

export function Empty({ icon, title, alone = false, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon name={icon} />
      {alone ? <h1>{title}</h1> : <strong>{title}</strong>}
      {children}
    </div>
  );
}

export function Skeleton({ height }: { height: string }) {
  return <div class="skeleton" style={{ height }} aria-hidden="true" />;
}

let ids = 0;

// Preact's own ids may occur twice when parts are inserted later.
export function useOwnId(): string {
  return useState(() => `own-${++ids}`)[0];
}

type FieldProps = {
  name: string;
  label: string;
  hint?: string;
  wrong?: string | undefined;
  children: (attributes: {
    id: string;
    name: string;
    "aria-describedby": string;
    "aria-invalid": boolean;
  }) => ComponentChildren;
};

// A labelled control with its hint, and with what the server found wrong with it.
export function Field({ name, label, hint, wrong, children }: FieldProps) {
  const id = useOwnId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        "aria-describedby": `${id}-hint ${id}-wrong`,
        "aria-invalid": Boolean(wrong),
      })}
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <p class="wrong" id={`${id}-wrong`}>
        {wrong}
      </p>
    </div>
  );
}
