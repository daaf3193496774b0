import { money } from "../base/format";
import type { Sale } from "../base/types";
import { saleTitle } from "../base/titles";
import { About, When } from "../shop/offer";
import { useSaleState } from "../ui/page";
import { Price, StateBadge, StockBar } from "../ui/parts";
import { Pictures } from "../ui/pictures";
import { text } from "../ui/texts";
import { words } from "./texts";

// As a shopper sees it, made of the same parts.
export function Preview({ sale }: { sale: Sale }) {
  const state = useSaleState(sale);
  return (
    <aside class="preview" aria-label={words("preview")}>
      <p class="small faint">{words("preview")}</p>
      <Pictures item={sale.item} />
      <StateBadge state={state} />
      <h2>{saleTitle(sale)}</h2>
      <Price sale={sale} item={sale.item} big />
      {state === "scheduled" ? (
        <p class="faint">{text("stock_total", { n: sale.stock.total })}</p>
      ) : (
        <StockBar stock={sale.stock} />
      )}
      <When sale={sale} state={state} />
      <span class="button hot big" aria-hidden="true">
        {text("buy_at", { price: money(sale.price_cents, sale.currency) })}
      </span>
      <About sale={sale} />
    </aside>
  );
}
