import { useEffect, useRef, useState } from "preact/hooks";

import { askAgainAfter } from "../base/sales";
import { clock } from "../base/server_time";
import type { Sale } from "../base/types";
import { PurchaseDriver } from "../purchase/driver";
import { awaitsNews, begin, type Machine } from "../purchase/machine";
import { PurchasePanel } from "../purchase/purchase_panel";
import { useBack, useWish, type Watch } from "../purchase/watch";
import { mount, Page, useSaleState, useUser } from "../ui/page";
import { Empty, Picture, Price, Skeleton, StateBadge, StockBar } from "../ui/parts";
import { text } from "../ui/texts";
import { type Latest, useLatest } from "../ui/use_latest";
import { useStream } from "../ui/use_stream";
import { About, When } from "./offer";

const saleId = new URLSearchParams(location.search).get("id") ?? "";

function SalePage() {
  const wish = useWish(saleId);
  const path = saleId && `/sales/${encodeURIComponent(saleId)}`;
  const latest = useLatest<Sale>(path, (found) => askAgainAfter(found, clock.now()), wish.watching);
  const { value: sale, away } = latest;
  const back = useBack(sale, wish);
  if (!saleId || latest.missing) return <Missing />;
  if (!sale) return <Loading away={away} />;
  const title = back && wish.watching ? text("p_back") : sale.item.title;
  return (
    <Page title={title} away={away}>
      <Shown sale={sale} latest={latest} watch={{ ...wish, back }} />
    </Page>
  );
}

type ShownProps = { sale: Sale; latest: Latest<Sale>; watch: Watch };

function Shown({ sale, latest, watch }: ShownProps) {
  const state = useSaleState(sale);
  const user = useUser();
  const { machine, driver } = usePurchase(sale, user?.id);
  const { watching } = watch;
  const stream = useStream(
    user?.id,
    watching || awaitsNews(machine),
    watching ? sale.id : null,
    (news) => {
      if (news.type === "sale" && news.id === sale.id)
        latest.tell((before) => ({ ...before, ...news }));
      driver.newsHeard(news);
    },
  );
  const streaming = stream === "open";
  useEffect(() => driver.streamTurned(streaming), [streaming]);
  useEffect(() => latest.streamed(watching && streaming), [streaming, watching]);
  const order = machine.state.name === "ordered" ? machine.state.order.state : null;
  // What came of a purchase has to do with the stock.
  const outcome = order ?? machine.state.name === "refused";
  useEffect(() => void (outcome && latest.refresh()), [outcome]);
  useEffect(() => void (order === "pending" && watching && watch.stop()), [order]);
  return (
    <article class="sale">
      <figure class="sale-picture">
        <Picture item={sale.item} eager />
      </figure>
      <div class="sale-offer">
        <StateBadge state={state} />
        <h1>{sale.item.title}</h1>
        <Price sale={sale} item={sale.item} big />
        {state !== "scheduled" && <StockBar stock={sale.stock} />}
        {state === "scheduled" && (
          <p class="faint">{text("stock_total", { n: sale.stock.total })}</p>
        )}
        <When sale={sale} state={state} />
        <PurchasePanel {...{ sale, saleState: state, machine, driver, user, watch }} />
        {stream === "blocked" && !latest.away && (
          <p class="small faint" role="status">
            {text("stream_blocked")}
          </p>
        )}
      </div>
      <About sale={sale} />
    </article>
  );
}

function Missing() {
  return (
    <Page title={text("sale_missing")}>
      <Empty icon="box" title={text("sale_missing")} alone>
        <p>{text("sale_missing_more")}</p>
        <a class="button" href="/">
          {text("all_sales")}
        </a>
      </Empty>
    </Page>
  );
}

function Loading({ away }: { away: boolean }) {
  return (
    <Page title={text("loading")} away={away}>
      <h1 class="visually-hidden">{text("loading")}</h1>
      <div class="sale">
        <Skeleton height="26rem" />
        <Skeleton height="20rem" />
      </div>
    </Page>
  );
}

function usePurchase(sale: Sale, buyer: string | undefined) {
  const [machine, setMachine] = useState<Machine>(() => begin(sale.challenge));
  const driver = useRef<PurchaseDriver | null>(null);
  driver.current ??= new PurchaseDriver(sale.id, sale.challenge, setMachine);
  useEffect(() => driver.current?.open(), [buyer]);
  useEffect(() => driver.current?.saleHeard(sale), [sale]);
  return { machine, driver: driver.current };
}

mount(SalePage);
