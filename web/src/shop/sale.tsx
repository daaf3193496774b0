import { useEffect, useRef, useState } from "preact/hooks";

import { get, Problem } from "../base/api";
import { backOff, poll, type Poller } from "../base/poll";
import { askAgainAfter } from "../base/sales";
import { clock } from "../base/server_time";
import type { Sale, SaleState } from "../base/types";
import { PurchaseDriver } from "../purchase/driver";
import { begin, type Machine } from "../purchase/machine";
import { PurchasePanel, type Watch } from "../purchase/purchase_panel";
import { mount, Page, useSaleState, useUser } from "../ui/page";
import { Empty, Picture, Price, Skeleton, StateBadge, StockBar } from "../ui/parts";
import { text } from "../ui/texts";
import { About, When } from "./offer";

const saleId = new URLSearchParams(location.search).get("id") ?? "";

function SalePage() {
  const [watching, setWatching] = useState(false);
  const { sale, away, missing, refresh } = useSale(watching);
  const back = useBack(sale);
  if (missing) return <Missing />;
  if (!sale) return <Loading away={away} />;
  const title = back && watching ? text("p_back") : sale.item.title;
  return (
    <Page title={title} away={away}>
      <Shown
        sale={sale}
        refresh={refresh}
        watch={{ watching, back, start: () => setWatching(true) }}
      />
    </Page>
  );
}

function Shown({ sale, refresh, watch }: { sale: Sale; refresh: () => void; watch: Watch }) {
  const state = useSaleState(sale);
  const user = useUser();
  const { machine, driver } = usePurchase(sale, user?.id);
  const outcome =
    machine.state.name === "ordered" ? machine.state.order.state : machine.state.name === "refused";
  // What came of a purchase has to do with the stock.
  useEffect(() => void (outcome && refresh()), [outcome]);
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

function useSale(watching: boolean) {
  const poller = useRef<Poller | null>(null);
  const [sale, setSale] = useState<Sale | null>(null);
  const [away, setAway] = useState(false);
  const [missing, setMissing] = useState(saleId === "");
  const watched = useRef(watching);
  watched.current = watching;
  useEffect(() => {
    if (saleId === "") return;
    let failures = 0;
    poller.current = poll(
      async () => {
        try {
          const found = await get<Sale>(`/sales/${encodeURIComponent(saleId)}`);
          setSale(found);
          setAway(false);
          failures = 0;
          return askAgainAfter(found, clock.now());
        } catch (failure) {
          if (failure instanceof Problem && failure.code === "not_found") setMissing(true);
          else setAway(true);
          return backOff(failures++);
        }
      },
      () => watched.current,
    );
    return poller.current.stop;
  }, []);
  return { sale, away, missing, refresh: () => poller.current?.now() };
}

function useBack(sale: Sale | null): boolean {
  const [back, setBack] = useState(false);
  const before = useRef<SaleState | undefined>(undefined);
  useEffect(() => {
    if (before.current === "sold_out" && sale?.state === "open") setBack(true);
    if (sale?.state === "sold_out") setBack(false);
    before.current = sale?.state;
  }, [sale]);
  return back;
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
