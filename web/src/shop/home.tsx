import "./home.css";

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { askAgain, isAway } from "../base/retry";
import { arrange, categoriesOf, fetchSales, isAbout, isOf, stateAt } from "../base/sales";
import type { Sale } from "../base/types";
import { saleTitle } from "../base/titles";
import { mount, Page, useSaleState } from "../ui/page";
import { useNow } from "../ui/use_now";
import { Countdown, Empty, Picture, Price, Skeleton, StateBadge, StockBar } from "../ui/parts";
import { say } from "../ui/say";
import { text } from "../ui/texts";
import { SaleCard } from "./sale_card";

const refreshMilliseconds = 5000;

function Home() {
  const { sales, away } = useSales();
  const [wanted, setWanted] = useState("");
  const [category, setCategory] = useCategory();
  const now = useNow();
  useStartsTold(sales, now);
  if (sales === null) return <Loading away={away} />;
  const categories = categoriesOf(sales);
  const found = sales.filter((sale) => isAbout(sale, wanted) && isOf(sale, category));
  const { running, coming, past } = arrange(found, now);
  const searching = wanted.trim() !== "";
  const featured = searching ? undefined : (running[0] ?? coming[0]);
  const rest = (shelf: Sale[]) => shelf.filter((sale) => sale !== featured);
  return (
    <Page title="Sluice" away={away}>
      <Heading>
        {(sales.length > fewSales || categories.length > 0 || category !== "") && (
          <div class="home-filters">
            {sales.length > fewSales && <Search wanted={wanted} want={setWanted} />}
            <Categories {...{ categories, category }} choose={setCategory} />
          </div>
        )}
      </Heading>
      {featured && <Feature key={featured.id} sale={featured} />}
      {(searching || category !== "") && found.length === 0 && (
        <Empty icon="box" title={text("home_none_found")} />
      )}
      {!searching && category === "" && running.length === 0 && coming.length === 0 && (
        <Empty icon="clock" title={text("home_none")}>
          <p>{text("home_none_more")}</p>
        </Empty>
      )}
      <Shelf title={text("home_running")} sales={rest(running)} />
      <Shelf title={text("home_coming")} sales={rest(coming)} />
      <Shelf title={text("home_past")} sales={past} />
    </Page>
  );
}

function Heading({ children }: { children?: ComponentChildren }) {
  return (
    <div class="home-heading">
      <h1>{text("home_title")}</h1>
      <p class="faint">{text("home_lead")}</p>
      {children}
    </div>
  );
}

// Somebody who sees all sales at a glance needs no search.
const fewSales = 6;

function Search({ wanted, want }: { wanted: string; want: (text: string) => void }) {
  return (
    <div class="field" role="search">
      <label for="wanted">{text("home_search")}</label>
      <input
        id="wanted"
        type="search"
        maxLength={100}
        value={wanted}
        onInput={(event) => want(event.currentTarget.value)}
      />
    </div>
  );
}

// In the address, so that it can be handed on.
function useCategory(): [string, (category: string) => void] {
  const [category, setCategory] = useState(
    () => new URLSearchParams(location.search).get("category") ?? "",
  );
  const choose = (wanted: string) => {
    const address = new URL(location.href);
    if (wanted) address.searchParams.set("category", wanted);
    else address.searchParams.delete("category");
    history.replaceState(null, "", address);
    setCategory(wanted);
  };
  return [category, choose];
}

type CategoriesProps = {
  categories: string[];
  category: string;
  choose: (category: string) => void;
};

function Categories({ categories, category, choose }: CategoriesProps) {
  if (categories.length === 0 && category === "") return null;
  const known = categories.includes(category) || category === "";
  return (
    <div class="field">
      <label for="category">{text("home_category")}</label>
      <select
        id="category"
        value={category}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">{text("home_every_category")}</option>
        {(known ? categories : [category, ...categories]).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </div>
  );
}

function Feature({ sale }: { sale: Sale }) {
  const state = useSaleState(sale);
  return (
    <article class="feature">
      <Picture item={sale.item} eager />
      <div class="feature-text">
        <StateBadge state={state} />
        <h2>{saleTitle(sale)}</h2>
        <Price sale={sale} item={sale.item} big />
        {state !== "scheduled" && <StockBar stock={sale.stock} />}
        {state === "scheduled" && (
          <div class="feature-when">
            <span class="faint">{text("starts_in")}</span>
            <Countdown to={Date.parse(sale.starts_at)} tiles />
          </div>
        )}
        {state === "open" && sale.ends_at && (
          <p class="faint">
            {text("ends_in")} <Countdown to={Date.parse(sale.ends_at)} />
          </p>
        )}
        <a class={state === "open" ? "button hot big" : "button big"} href={`/sale?id=${sale.id}`}>
          {text(state === "open" ? "home_buy" : "home_see")}
          <span class="visually-hidden">: {saleTitle(sale)}</span>
        </a>
      </div>
    </article>
  );
}

function Shelf({ title, sales }: { title: string; sales: Sale[] }) {
  if (sales.length === 0) return null;
  return (
    <section class="shelf">
      <h2>{title}</h2>
      <ul class="cards">
        {sales.map((sale) => (
          <SaleCard key={sale.id} sale={sale} />
        ))}
      </ul>
    </section>
  );
}

function Loading({ away }: { away: boolean }) {
  return (
    <Page title="Sluice" away={away}>
      <Heading />
      <p class="visually-hidden">{text("loading")}</p>
      <Skeleton height="22rem" />
    </Page>
  );
}

// Others see a card move up when its sale begins.
function useStartsTold(sales: Sale[] | null, now: number | null) {
  const waiting = useRef(new Set<string>());
  useEffect(() => {
    for (const sale of sales ?? []) {
      const state = stateAt(sale, now);
      if (state === "scheduled") waiting.current.add(sale.id);
      else if (waiting.current.delete(sale.id) && state === "open")
        say(text("home_started", { title: saleTitle(sale) }));
    }
  }, [sales, now]);
}

function useSales() {
  const [sales, setSales] = useState<Sale[] | null>(null);
  const [away, setAway] = useState(false);
  useEffect(() => {
    const poller = askAgain(
      async () => {
        setSales(await fetchSales());
        setAway(false);
        return refreshMilliseconds;
      },
      (failure) => setAway(isAway(failure)),
    );
    return poller.stop;
  }, []);
  return { sales, away };
}

mount(Home);
