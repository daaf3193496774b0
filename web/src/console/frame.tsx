// What every page of the console has around it: the navigation, and who may see the page.

import "./console.css";

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { isStaff, loginAddress } from "../base/session";
import { Icon } from "../ui/icon";
import { Page } from "../ui/page";
import { useUser } from "../ui/use_user";
import { Empty, Notice, Skeleton } from "../ui/parts";
import { noAnswer, text } from "../ui/texts";
import type { Listed } from "./ask";
import { mayOpen, placeOf, placesOf } from "./places";
import { words } from "./texts";

type Props = { title: string; away?: boolean; wide?: boolean; children: ComponentChildren };

export function ConsolePage({ title, away = false, wide = false, children }: Props) {
  const user = useUser();
  const allowed = mayOpen(user, location.pathname) && !user?.factorMissing;
  const ways = isStaff(user) && !user?.factorMissing;
  return (
    <Page title={title} away={away} full={wide} under={ways && <Places full={wide} />}>
      {allowed && children}
      {user?.factorMissing && (
        <Empty icon="shield" title={words("factor_first")} alone>
          <p>{words("factor_first_more")}</p>
          <a class="button" href="/account">
            {text("account_title")}
          </a>
        </Empty>
      )}
      {!allowed && !user?.factorMissing && <NotAllowed />}
    </Page>
  );
}

function NotAllowed() {
  const user = useUser();
  if (isStaff(user)) {
    return (
      <Empty icon="shield" title={words("for_operators")} alone>
        <p>{words("for_operators_more")}</p>
        <a class="button" href="/console/orders">
          {words("place_orders")}
        </a>
      </Empty>
    );
  }
  return (
    <Empty icon="shield" title={words(user ? "forbidden" : "log_in_first")} alone>
      <p>{words(user ? "forbidden_more" : "log_in_first_more")}</p>
      <a class="button" href={user ? "/" : loginAddress()}>
        {text(user ? "all_sales" : "log_in")}
      </a>
    </Empty>
  );
}

function Places({ full }: { full: boolean }) {
  const here = placeOf(location.pathname);
  const user = useUser();
  const nav = useRef<HTMLElement>(null);
  // On a phone the last entries would be out of sight.
  useEffect(() => {
    const current = nav.current!.querySelector<HTMLElement>("[aria-current]");
    if (current) nav.current!.scrollLeft = current.offsetLeft - nav.current!.clientWidth / 2;
  }, []);
  return (
    <div class="places">
      <nav ref={nav} class={full ? "wide full" : "wide"} aria-label={words("console")}>
        {placesOf(user).map(({ to, name }) => (
          <a key={to} href={to} aria-current={here === to ? "page" : undefined}>
            {words(`place_${name}`)}
          </a>
        ))}
      </nav>
    </div>
  );
}

type HeadingProps = { title: string; lead?: string; children?: ComponentChildren };

export function Heading({ title, lead, children }: HeadingProps) {
  return (
    <header class="console-heading">
      <div>
        <h1>{title}</h1>
        {lead && <p class="faint">{lead}</p>}
      </div>
      {children && <div class="row">{children}</div>}
    </header>
  );
}

export function NotHere({ what }: { what: string }) {
  return (
    <Empty icon="cloud" title={words("not_here", { what })}>
      <p>{words("not_here_more")}</p>
    </Empty>
  );
}

type TableProps<Row> = {
  list: Listed<Row>;
  label: string;
  none: string;
  heads: string[];
  row: (row: Row) => ComponentChildren;
};

export function ListTable<Row>({ list, label, none, heads, row }: TableProps<Row>) {
  if (list.missing) return <NotHere what={label} />;
  if (list.trouble && !list.rows) {
    return (
      <Notice tone="bad" title={list.trouble === "away" ? noAnswer() : list.trouble.message}>
        <button class="button quiet small" type="button" onClick={list.reload}>
          {text("try_again")}
        </button>
      </Notice>
    );
  }
  if (!list.rows) return <Skeleton height="14rem" />;
  if (list.rows.length === 0) return <Empty icon="receipt" title={none} />;
  return (
    <>
      <Table label={label} heads={heads}>
        {list.rows.map(row)}
      </Table>
      {list.more && (
        <button class="button quiet more" type="button" onClick={list.more}>
          {text("more")}
        </button>
      )}
    </>
  );
}

// A heading that begins with > stands right. On a phone a row is a card, and its cells carry their
// headings.
export function Table(props: { label: string; heads: string[]; children: ComponentChildren }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const heads = props.heads.map((head) => head.replace(/^>/, ""));
  useEffect(() => {
    for (const { cells } of body.current!.rows)
      [...cells].forEach((cell, i) => (cell.dataset.head = heads[i]));
  });
  return (
    <div class="table" role="region" aria-label={props.label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {heads.map((head, i) => (
              <th key={head} scope="col" class={props.heads[i] === head ? undefined : "right"}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>{props.children}</tbody>
      </table>
    </div>
  );
}

export function Back({ to, label }: { to: string; label: string }) {
  return (
    <a class="back" href={to}>
      <Icon name="back" />
      {label}
    </a>
  );
}
