import { useEffect, useRef, useState } from "preact/hooks";

import { spanOf } from "../base/countdown";
import { keepSession } from "../base/keep_session";
import { askAgainAfter } from "../base/sales";
import { clock } from "../base/server_time";
import type { Sale } from "../base/types";
import { forgetQueued, noteQueued } from "../base/queued";
import { noteOrder } from "../base/unpaid";
import { noteVisit } from "../base/visits";
import { saleTitle } from "../base/titles";
import { PurchaseDriver } from "../purchase/driver";
import { awaitsNews, begin, type Machine } from "../purchase/machine";
import { PurchasePanel } from "../purchase/purchase_panel";
import { useListing } from "../purchase/use_listing";
import { useMine } from "../purchase/use_mine";
import { useReminder } from "../purchase/use_reminder";
import { useBack, useWish, type Watch } from "../purchase/watch";
import { mount, Page, useSaleState } from "../ui/page";
import { useUser } from "../ui/use_user";
import { Empty, Price, Skeleton, StateBadge, StockBar } from "../ui/parts";
import { Pictures } from "../ui/pictures";
import { Share } from "../ui/share";
import { text } from "../ui/texts";
import { type Latest, useLatest } from "../ui/use_latest";
import { useNow } from "../ui/use_now";
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
  const title = back && wish.watching ? text("p_back") : saleTitle(sale);
  return (
    <Page title={title} away={away}>
      <TabTitle sale={sale} title={title} />
      <Shown sale={sale} latest={latest} watch={{ ...wish, back }} />
    </Page>
  );
}

type ShownProps = { sale: Sale; latest: Latest<Sale>; watch: Watch };

function Shown({ sale, latest, watch }: ShownProps) {
  const state = useSaleState(sale);
  const user = useUser();
  const loggedOut = useKeptSession(user?.id);
  const reminding = useReminder(sale);
  useEffect(() => void noteVisit(sale.id, clock.now() ?? Date.now()), [sale.id]);
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
  const order = machine.state.name === "ordered" ? machine.state.order : null;
  const mine = useMine(sale.id, order);
  const listing = useListing(sale, user);
  useEffect(() => void (order && noteOrder(order)), [order]);
  useQueuedNoted(sale, machine);
  // A purchase has changed the stock.
  const outcome = order?.state ?? machine.state.name === "refused";
  useEffect(() => void (outcome && latest.refresh()), [outcome]);
  useEffect(() => void (order?.state === "pending" && watching && watch.stop()), [order?.state]);
  const panel = {
    sale,
    saleState: state,
    machine,
    driver,
    user,
    loggedOut,
    mine,
    listing,
    watch,
    reminding,
  };
  return (
    <article class="sale">
      <figure class="sale-picture">
        <Pictures item={sale.item} />
      </figure>
      <div class="sale-offer">
        <StateBadge state={state} />
        <h1>{saleTitle(sale)}</h1>
        <Price sale={sale} item={sale.item} big />
        {state !== "scheduled" && <StockBar stock={sale.stock} />}
        {state === "scheduled" && (
          <p class="faint">{text("stock_total", { n: sale.stock.total })}</p>
        )}
        <When sale={sale} state={state} />
        <PurchasePanel {...panel} />
        {stream === "blocked" && !latest.away && (
          <p class="small faint" role="status">
            {text("stream_blocked")}
          </p>
        )}
        <Share title={saleTitle(sale)} path={`/s/${sale.id}`} />
      </div>
      <About sale={sale} />
    </article>
  );
}

// "My orders" shows the ticket meanwhile. This page shows its outcome.
function useQueuedNoted(sale: Sale, { state, latest, attempt }: Machine) {
  const decided = state.name === "ordered" || state.name === "refused";
  useEffect(() => {
    if (state.name === "queued")
      noteQueued({ ticket: state.ticket, sale_id: sale.id, title: saleTitle(sale) });
    else if (decided && latest) forgetQueued(latest);
  }, [state.name, latest]);
  // A purchase that was sent again may have another ticket, or none any more.
  const before = useRef<string | null>(null);
  useEffect(() => {
    const gone = before.current !== attempt?.ticket && (attempt !== null || decided);
    if (before.current && gone) forgetQueued(before.current);
    before.current = attempt?.queued ? (attempt.ticket ?? null) : null;
  }, [attempt]);
}

// An open page keeps its session. True when the session was lost all the same.
function useKeptSession(user: string | undefined): boolean {
  const had = useRef(false);
  if (user) had.current = true;
  useEffect(() => (user ? keepSession() : undefined), [user]);
  return had.current && !user;
}

// A tab in the background shows the remaining time.
function TabTitle({ sale, title }: { sale: Sale; title: string }) {
  const state = useSaleState(sale);
  const now = useNow();
  const left = now === null || state !== "scheduled" ? null : Date.parse(sale.starts_at) - now;
  const before = useRef(state);
  const begun = before.current === "scheduled" && state === "open";
  const lead = left !== null ? spanOf(left) : begun ? text("state_open") : "";
  useEffect(() => {
    document.title = [lead, title, "Sluice"].filter(Boolean).join(" · ");
  }, [lead, title]);
  return null;
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
  const [machine, setMachine] = useState<Machine>(() =>
    begin(sale.challenge, sale.challenge_alternative),
  );
  const driver = useRef<PurchaseDriver | null>(null);
  driver.current ??= new PurchaseDriver(sale.id, sale, setMachine);
  useEffect(() => driver.current?.open(), [buyer]);
  useEffect(() => driver.current?.saleHeard(sale), [sale]);
  return { machine, driver: driver.current };
}

mount(SalePage);
