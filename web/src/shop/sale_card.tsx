import { dateAndTime } from "../base/format";
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
