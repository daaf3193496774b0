import { calendarFile } from "../base/calendar";
import { saveFile } from "../base/save_file";
import { saleTitle } from "../base/titles";
import type { Sale } from "../base/types";
import { Icon } from "../ui/icon";
import { text } from "../ui/texts";
import type { Reminding } from "./use_reminder";

export function Reminder({ sale, reminding }: { sale: Sale; reminding: Reminding }) {
  const { on, start, stop } = reminding;
  return (
    <div class="reminder">
      <div class="row">
        <button
          class="button quiet small"
          type="button"
          aria-pressed={on}
          onClick={on ? stop : start}
        >
          <Icon name="bell" />
          {text(on ? "remind_off" : "remind_on")}
        </button>
        <button class="button quiet small" type="button" onClick={() => saveEntry(sale)}>
          <Icon name="calendar" />
          {text("remind_calendar")}
        </button>
      </div>
      {on && <p class="small faint">{text("remind_more")}</p>}
    </div>
  );
}

function saveEntry(sale: Sale): void {
  const { id, starts_at, ends_at } = sale;
  const url = new URL(`/sale?id=${id}`, location.origin).href;
  const entry = { id, title: saleTitle(sale), starts: starts_at, ends: ends_at, url };
  saveFile(`sale-${id}.ics`, "text/calendar", [calendarFile(entry, Date.now())]);
}
