// The top of every page. On a phone it is one row, with what is rarely needed in a menu.

import { useEffect, useRef, useState } from "preact/hooks";

import { timeOfDay } from "../base/format";
import { currentLanguage, setLanguage } from "../base/i18n";
import { isStaff, loginAddress, logOut } from "../base/session";
import { currentTheme, onThemeChange, setTheme } from "../base/theme";
import type { User } from "../base/types";
import { Icon } from "./icon";
import { say } from "./say";
import { noAnswer, text } from "./texts";
import { useClosing } from "./use_closing";
import { useNow } from "./use_now";
import { useUser } from "./use_user";

export function Masthead() {
  const user = useUser();
  const narrow = useNarrow();
  return (
    <header class="masthead">
      <div class="wide">
        <a class="brand" href="/" aria-label="Sluice">
          <img src="/assets/logo.svg" alt="" width="32" height="32" />
          <span>Sluice</span>
        </a>
        <nav aria-label={text("navigation")}>
          <NavLink to="/" label={text("nav_sales")} />
          {user && <NavLink to="/orders" label={text("nav_orders")} />}
          {isStaff(user) && <NavLink to="/console/" label={text("nav_console")} />}
        </nav>
        {narrow ? (
          <>
            {!user && <LogIn />}
            <Menu user={user} />
          </>
        ) : (
          <>
            <Settings />
            {user ? <Account user={user} /> : <LogIn />}
          </>
        )}
      </div>
    </header>
  );
}

function useNarrow(): boolean {
  const [query] = useState(() => matchMedia("(max-width: 48rem)"));
  const [narrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const turned = () => setNarrow(query.matches);
    turned();
    query.addEventListener("change", turned);
    return () => query.removeEventListener("change", turned);
  }, [query]);
  return narrow;
}

function Menu({ user }: { user: User | null }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useClosing(menu);
  return (
    <details ref={menu} class="menu">
      <summary aria-label={text("menu")}>
        <Icon name="menu" />
      </summary>
      <div class="panel">
        {user && <Account user={user} />}
        <Settings />
      </div>
    </details>
  );
}

function Settings() {
  return (
    <>
      <ServerTime />
      <ThemeSwitch />
      <button class="plain" type="button" lang={other()} onClick={() => setLanguage(other())}>
        {text("other_language")}
      </button>
    </>
  );
}

const other = () => (currentLanguage() === "zh" ? "en" : "zh");

function ThemeSwitch() {
  const [theme, setShown] = useState(currentTheme);
  useEffect(() => onThemeChange(() => setShown(currentTheme())), []);
  const dark = theme === "dark";
  return (
    <button
      class="plain theme"
      type="button"
      aria-pressed={dark}
      title={text("dark_mode")}
      onClick={() => setTheme(dark ? "light" : "dark")}
    >
      <Icon name={dark ? "sun" : "moon"} />
      <span>{text("dark_mode")}</span>
    </button>
  );
}

function NavLink({ to, label }: { to: string; label: string }) {
  const here = to === "/" ? location.pathname === to : location.pathname.startsWith(to);
  return (
    <a href={to} aria-current={here ? "page" : undefined}>
      {label}
    </a>
  );
}

function LogIn() {
  if (location.pathname === "/login" || location.pathname === "/register") return null;
  return (
    <a class="button small" href={loginAddress()}>
      {text("log_in")}
    </a>
  );
}

function Account({ user }: { user: User }) {
  const leave = () =>
    logOut().then(
      () => location.assign("/"),
      () => say(noAnswer()),
    );
  return (
    <div class="account">
      <a class="who" href="/account" title={text("account_title")}>
        {user.name}
      </a>
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
