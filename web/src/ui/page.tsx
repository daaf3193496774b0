// What every page has around it, and how a page is put into the document.

import "./tokens.css";
import "./base.css";
import "./parts.css";

import { type ComponentChildren, type ComponentType, h, render } from "preact";
import { useEffect, useState } from "preact/hooks";

import { timeOfDay } from "../base/format";
import { currentLanguage, languageTag, onLanguageChange, setLanguage } from "../base/i18n";
import { stateAt, untilEdge } from "../base/sales";
import { clock, keepInStep } from "../base/server_time";
import {
  confirmUser,
  currentUser,
  loginAddress,
  logOut,
  mayOperate,
  onUserChange,
} from "../base/session";
import type { Sale, SaleState, User } from "../base/types";
import { Icon } from "./icon";
import { say } from "./say";
import { text } from "./texts";

export function mount(Page: ComponentType): void {
  const place = document.getElementById("page")!;
  const draw = () => {
    document.documentElement.lang = languageTag();
    render(h(Page, null), place);
  };
  onLanguageChange(draw);
  keepInStep();
  void confirmUser();
  draw();
}

type Props = {
  title: string;
  // The server does not answer; what is shown may be old.
  away?: boolean;
  // Between the masthead and the content.
  under?: ComponentChildren;
  // As wide as the window.
  full?: boolean;
  children: ComponentChildren;
};

export function Page({ title, away = false, under, full = false, children }: Props) {
  useEffect(() => {
    document.title = title === "Sluice" ? title : `${title} · Sluice`;
  }, [title]);
  return (
    <>
      <a class="skip" href="#main">
        {text("skip")}
      </a>
      <Masthead />
      <Strip away={away} />
      {under}
      <main id="main" class={full ? "wide full" : "wide"} tabIndex={-1}>
        {children}
      </main>
      <footer class="footer">
        <div class="wide">
          <p>{text("promise")}</p>
          <p>{text("footer_clock")}</p>
        </div>
      </footer>
    </>
  );
}

function Masthead() {
  const user = useUser();
  return (
    <header class="masthead">
      <div class="wide">
        <a class="brand" href="/">
          <img src="/assets/logo.svg" alt="" width="32" height="32" />
          Sluice
        </a>
        <nav aria-label={text("navigation")}>
          <NavLink to="/" label={text("nav_sales")} />
          {user && <NavLink to="/orders" label={text("nav_orders")} />}
          {mayOperate(user) && <NavLink to="/console/" label={text("nav_console")} />}
        </nav>
        <ServerTime />
        <button class="plain" type="button" lang={other()} onClick={() => setLanguage(other())}>
          {text("other_language")}
        </button>
        <Account user={user} />
      </div>
    </header>
  );
}

const other = () => (currentLanguage() === "zh" ? "en" : "zh");

function NavLink({ to, label }: { to: string; label: string }) {
  const here = to === "/" ? location.pathname === to : location.pathname.startsWith(to);
  return (
    <a href={to} aria-current={here ? "page" : undefined}>
      {label}
    </a>
  );
}

function Account({ user }: { user: User | null }) {
  if (!user) {
    if (location.pathname === "/login" || location.pathname === "/register") return null;
    return (
      <a class="button small" href={loginAddress()}>
        {text("log_in")}
      </a>
    );
  }
  const leave = () =>
    logOut().then(
      () => location.assign("/"),
      () => say(text("away")),
    );
  return (
    <div class="account">
      <span class="who" title={user.name}>
        {user.name}
      </span>
      <button class="plain" type="button" onClick={leave}>
        {text("log_out")}
      </button>
    </div>
  );
}

function ServerTime() {
  const now = useNow();
  return (
    <p class="clock">
      <span>{text("server_time")} </span>
      <time>{now === null ? "–" : timeOfDay(now)}</time>
    </p>
  );
}

function Strip({ away }: { away: boolean }) {
  return (
    <div role="status">
      {away && (
        <div class="strip">
          <div class="wide">
            <Icon name="cloud" />
            {text("away")}
          </div>
        </div>
      )}
    </div>
  );
}

export function useUser(): User | null {
  const [user, setUser] = useState(currentUser);
  useEffect(() => onUserChange(() => setUser(currentUser())), []);
  return user;
}

// The state of a sale by the server's clock, changing in the instant it does.
export function useSaleState(sale: Sale): SaleState {
  const [, redraw] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      const now = clock.now();
      redraw((times) => times + 1);
      timer = setTimeout(look, now === null ? 50 : untilEdge(sale, now));
    };
    look();
    return () => clearTimeout(timer);
  }, [sale]);
  return stateAt(sale, clock.now());
}

// The server's time, renewed at each of its seconds; null until it is known.
export function useNow(): number | null {
  const [now, setNow] = useState(clock.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const time = clock.now();
      setNow(time);
      timer = setTimeout(tick, time === null ? 50 : 1000 - (time % 1000) + 1);
    };
    tick();
    return () => clearTimeout(timer);
  }, []);
  return now;
}
