import { listedOnly } from "../base/audience";
import { dateAndTime } from "../base/format";
import { clock } from "../base/server_time";
import type { Sale, SaleState } from "../base/types";
import { saleTitle } from "../base/titles";
import { useSaleState } from "../ui/page";
import { Countdown, Picture, Price, StateBadge, StockBar } from "../ui/parts";
import { text } from "../ui/texts";

export function SaleCard({ sale }: { sale: Sale }) {
  const state = useSaleState(sale);
  return (
    <li class={`card ${state}`}>
      <Picture item={sale.item} />
      <div class="card-text">
        <StateBadge state={state} />
        <h3>
          <a href={`/sale?id=${sale.id}`}>{saleTitle(sale)}</a>
        </h3>
        <Price sale={sale} item={sale.item} />
        <For sale={sale} />
        {state === "scheduled" || state === "ended" ? (
          <p class="small faint">{text("stock_total", { n: sale.stock.total })}</p>
        ) : (
          <StockBar stock={sale.stock} />
        )}
        <p class="card-when faint">
          <When sale={sale} state={state} />
        </p>
      </div>
    </li>
  );
}

function For({ sale }: { sale: Sale }) {
  if (!listedOnly(sale, clock.now())) return null;
  return <p class="small">{text(sale.audience === "listed" ? "listed_only" : "listed_first")}</p>;
}

function When({ sale, state }: { sale: Sale; state: SaleState }) {
  if (state === "scheduled") {
    return (
      <>
        {text("starts_in")} <Countdown to={Date.parse(sale.starts_at)} />
      </>
    );
  }
  if (sale.ends_at === null) return <>{text("open_ended")}</>;
  if (state === "ended") return <>{text("ended_at", { time: dateAndTime(sale.ends_at) })}</>;
  return (
    <>
      {text("ends_in")} <Countdown to={Date.parse(sale.ends_at)} />
    </>
  );
}
