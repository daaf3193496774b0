// What is offered and until when, on the sale's page and in the console's preview of it.

import "./sale.css";

import { remaining } from "../base/countdown";
import { dateAndTime } from "../base/format";
import type { Sale, SaleState } from "../base/types";
import { Countdown } from "../ui/parts";
import { text } from "../ui/texts";

export function When({ sale, state }: { sale: Sale; state: SaleState }) {
  if (state === "scheduled") {
    return (
      <div class="sale-when">
        <span class="faint">
          {text("starts_in")} · {dateAndTime(sale.starts_at)}
        </span>
        <Countdown to={Date.parse(sale.starts_at)} tiles />
      </div>
    );
  }
  if (sale.ends_at === null) return <p class="faint">{text("open_ended")}</p>;
  if (state === "ended")
    return <p class="faint">{text("ended_at", { time: dateAndTime(sale.ends_at) })}</p>;
  return (
    <p class="faint">
      {text("ends_in")} <Countdown to={Date.parse(sale.ends_at)} />
    </p>
  );
}

export function About({ sale }: { sale: Sale }) {
  const to = sale.ends_at === null ? text("open_ended") : dateAndTime(sale.ends_at);
  return (
    <>
      {sale.item.description && (
        <section class="sale-about">
          <h2>{text("about_item")}</h2>
          <p class="sale-description">{sale.item.description}</p>
        </section>
      )}
      <section class="sale-about">
        <h2>{text("about_sale")}</h2>
        <dl class="facts">
          {sale.audience !== "everyone" && (
            <>
              <dt>{text("fact_audience")}</dt>
              <dd>{audienceText(sale)}</dd>
            </>
          )}
          <dt>{text("fact_limit")}</dt>
          <dd>{text("fact_limit_value", { n: sale.limit_per_buyer })}</dd>
          <dt>{text("fact_hold")}</dt>
          <dd>{text("fact_hold_value", { time: span(sale.hold_seconds) })}</dd>
          <dt>{text("fact_unpaid")}</dt>
          <dd>{text("fact_unpaid_value", { n: sale.unpaid_limit })}</dd>
          <dt>{text("fact_challenge")}</dt>
          <dd>{challengeText(sale)}</dd>
          <dt>{text("fact_window")}</dt>
          <dd>
            <span class="nowrap">{dateAndTime(sale.starts_at)} –</span>{" "}
            <span class="nowrap">{to}</span>
          </dd>
        </dl>
      </section>
    </>
  );
}

export function audienceText({ audience, listed_until }: Pick<Sale, "audience" | "listed_until">) {
  return text(`audience_${audience}`, { time: listed_until ? dateAndTime(listed_until) : "–" });
}

export function challengeText(sale: Pick<Sale, "challenge" | "challenge_alternative">): string {
  const both = sale.challenge === "math" && sale.challenge_alternative === "pow";
  return text(both ? "challenge_math_or_pow" : `challenge_${sale.challenge}`);
}

export function span(seconds: number): string {
  const { days, hours, minutes, seconds: rest } = remaining(seconds * 1000);
  const parts = [
    hours + days * 24 > 0 && text("hours", { n: hours + days * 24 }),
    minutes > 0 && text("minutes", { n: minutes }),
    rest > 0 && text("seconds", { n: rest }),
  ];
  return parts.filter(Boolean).join(" ");
}
