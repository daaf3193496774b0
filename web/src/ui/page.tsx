// What every page has around it, and how a page is put into the document.

import "./tokens.css";
import "./base.css";
import "./parts.css";

import { type ComponentChildren, type ComponentType, h, render } from "preact";
import { useEffect, useState } from "preact/hooks";

import { languageTag, onLanguageChange } from "../base/i18n";
import { stateAt, untilEdge } from "../base/sales";
import { clock, keepInStep } from "../base/server_time";
import { confirmUser } from "../base/session";
import { followTheme } from "../base/theme";
import { ticking } from "../base/ticks";
import type { Sale, SaleState } from "../base/types";
import { Icon } from "./icon";
import { Masthead } from "./masthead";
import { text } from "./texts";
import { UnpaidBanner } from "./unpaid_banner";
import { useOnline } from "./use_online";

export function mount(Page: ComponentType): void {
  const place = document.getElementById("page")!;
  const draw = () => {
    document.documentElement.lang = languageTag();
    render(h(Page, null), place);
  };
  onLanguageChange(draw);
  followTheme();
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
      <UnpaidBanner />
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

function Strip({ away }: { away: boolean }) {
  const online = useOnline();
  return (
    <div role="status">
      {(away || !online) && (
        <div class="strip">
          <div class="wide">
            <Icon name="cloud" />
            {text(online ? "away" : "offline")}
          </div>
        </div>
      )}
    </div>
  );
}

// The state of a sale by the server's clock, which changes at the right instant.
export function useSaleState(sale: Sale): SaleState {
  const [, redraw] = useState<number | null>(null);
  useEffect(() => ticking((now) => untilEdge(sale, now), redraw), [sale]);
  return stateAt(sale, clock.now());
}
