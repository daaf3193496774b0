// One sale for support: its data and its state, without buttons.

import { dateAndTime, money, number } from "../base/format";
import type { Sale } from "../base/types";
import { useSaleState } from "../ui/page";
import { Countdown, StateBadge, StockBar } from "../ui/parts";
import { Heading } from "./frame";
import { words } from "./texts";

export function SaleFacts({ sale }: { sale: Sale }) {
  const state = useSaleState(sale);
  return (
    <>
      <Heading title={sale.item.title} lead={words("sale_number", { id: sale.id })}>
        <StateBadge state={state} />
        <a class="button quiet" href={`/console/orders?sale=${sale.id}`}>
          {words("orders_of_sale")}
        </a>
      </Heading>
      <section class="panel console-section">
        <StockBar stock={sale.stock} />
        <dl class="facts figures">
          <dt>{words("head_price")}</dt>
          <dd>{money(sale.price_cents, sale.currency)}</dd>
          <dt>{words("starts")}</dt>
          <dd>
            {dateAndTime(sale.starts_at)}
            {state === "scheduled" && (
              <>
                {" "}
                · <Countdown to={Date.parse(sale.starts_at)} />
              </>
            )}
          </dd>
          <dt>{words("ends")}</dt>
          <dd>{sale.ends_at ? dateAndTime(sale.ends_at) : words("no_end")}</dd>
          <dt>{words("tile_left")}</dt>
          <dd>{number(sale.stock.left)}</dd>
          <dt>{words("tile_held")}</dt>
          <dd>{number(sale.stock.held)}</dd>
          <dt>{words("tile_sold")}</dt>
          <dd>{number(sale.stock.sold)}</dd>
          <dt>{words("field_limit")}</dt>
          <dd>{number(sale.limit_per_buyer)}</dd>
        </dl>
      </section>
    </>
  );
}
