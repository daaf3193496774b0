import { useState } from "preact/hooks";

import { money, rowTime, zoneName } from "../base/format";
import { arrange, fetchSales } from "../base/sales";
import type { Sale } from "../base/types";
import { mount, useSaleState } from "../ui/page";
import { useNow } from "../ui/use_now";
import { useOperates } from "../ui/use_user";
import { Countdown, Empty, Skeleton, StateBadge, StockBar } from "../ui/parts";
import { useAsked } from "./ask";
import { ConsolePage, Heading, Table } from "./frame";
import { saleName } from "./sale_name";
import { words } from "./texts";

const leastMilliseconds = 10_000;
const millisecondsForEach = 100; // many sales are many bytes
const shelves = ["running", "coming", "past"] as const;

const paceOf = (sales: Sale[]) => Math.max(leastMilliseconds, sales.length * millisecondsForEach);

function Home() {
  const { value: sales, away } = useAsked("/sales", paceOf, fetchSales);
  const operates = useOperates();
  return (
    <ConsolePage title={words("console")} away={away}>
      <Heading
        title={words("sales_title")}
        lead={words(operates ? "sales_lead" : "sales_lead_support")}
      >
        <a class="button quiet" href="/console/calendar">
          {words("calendar")}
        </a>
        {operates && (
          <a class="button" href="/console/plan">
            {words("sale_new")}
          </a>
        )}
      </Heading>
      {sales ? <Sales sales={sales} /> : <Skeleton height="18rem" />}
    </ConsolePage>
  );
}

function Sales({ sales }: { sales: Sale[] }) {
  const now = useNow();
  const operates = useOperates();
  const [wanted, setWanted] = useState("");
  const shelf = arrange(
    sales.filter((sale) => matches(sale, wanted)),
    now,
  );
  if (sales.length === 0) {
    return (
      <Empty icon="box" title={words("sales_none")}>
        {operates && (
          <>
            <p>{words("sales_none_more")}</p>
            <a class="button" href="/console/item">
              {words("item_new")}
            </a>
          </>
        )}
      </Empty>
    );
  }
  return (
    <>
      <div class="filters">
        <div class="field">
          <label for="wanted">{words("find_sale")}</label>
          <input
            id="wanted"
            type="search"
            value={wanted}
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </div>
      </div>
      {shelves.map((name) => (
        <Shelf key={name} name={name} sales={shelf[name]} />
      ))}
    </>
  );
}

function matches(sale: Sale, wanted: string): boolean {
  const sought = wanted.trim().toLowerCase();
  return saleName(sale).toLowerCase().includes(sought) || sale.id === sought;
}

function Shelf({ name, sales }: { name: (typeof shelves)[number]; sales: Sale[] }) {
  const operates = useOperates();
  if (sales.length === 0) return null;
  const label = words(`shelf_${name}`);
  return (
    <section class="console-section">
      <h2>{label}</h2>
      <Table
        label={label}
        heads={[
          headOfTimes("head_sale"),
          words("head_state"),
          `>${words("head_price")}`,
          words("head_stock"),
          headOfTimes("head_until"),
          ...(operates ? [words("head_actions")] : []),
        ]}
      >
        {sales.map((sale) => (
          <Row key={sale.id} sale={sale} operates={operates} />
        ))}
      </Table>
    </section>
  );
}

const headOfTimes = (key: "head_sale" | "head_until") => `${words(key)} (${zoneName()})`;

function Row({ sale, operates }: { sale: Sale; operates: boolean }) {
  const state = useSaleState(sale);
  return (
    <tr>
      <td class="main-cell">
        <a href={`/console/sale?id=${sale.id}`}>{sale.item.title}</a>
        <span class="small faint" title={sale.id}>
          {rowTime(sale.starts_at)}
        </span>
      </td>
      <td>
        <StateBadge state={state} />
      </td>
      <td class="right figures">{money(sale.price_cents, sale.currency)}</td>
      <td class="stock-cell">
        <StockBar stock={sale.stock} />
      </td>
      <td class="small faint">
        {state === "scheduled" ? (
          <Countdown to={Date.parse(sale.starts_at)} />
        ) : sale.ends_at ? (
          rowTime(sale.ends_at)
        ) : (
          words("no_end")
        )}
      </td>
      {operates && (
        <td>
          <div class="row tight">
            <a href={`/console/plan?id=${sale.id}`}>
              {words("edit")}
              <span class="visually-hidden">: {saleName(sale)}</span>
            </a>
            <a href={`/console/plan?clone=${sale.id}`}>
              {words("clone")}
              <span class="visually-hidden">: {saleName(sale)}</span>
            </a>
          </div>
        </td>
      )}
    </tr>
  );
}

mount(Home);
