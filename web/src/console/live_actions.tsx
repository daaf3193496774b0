import { useRef } from "preact/hooks";

import { post } from "../base/api";
import type { Sale, SaleState } from "../base/types";
import { saleTitle } from "../base/titles";
import { Field } from "../ui/parts";
import { Share } from "../ui/share";
import { useClosing } from "../ui/use_closing";
import { BlockButton } from "./blocks";
import { wholeNumber } from "./fields";
import { saleName } from "./sale_name";
import { Sure } from "./sure";
import { words } from "./texts";

type Props = { sale: Sale; state: SaleState; refresh: () => void; toWall: () => void };

export function LiveActions({ sale, state, refresh, toWall }: Props) {
  const act = (deed: string, more: { body?: unknown; key?: string } = {}) =>
    post<Sale>(`/admin/sales/${sale.id}/${deed}`, more).then(refresh);
  const over = state === "ended";
  return (
    <div class="live-actions">
      {over && (
        <a class="button" href={`/console/report?id=${sale.id}`}>
          {words("report")}
        </a>
      )}
      <PauseOrResume sale={sale} state={state} act={act} />
      <Restock sale={sale} over={over} act={act} />
      <Sure
        look="button quiet danger"
        disabled={over}
        label={words("end")}
        title={words("end_sure")}
        of={saleName(sale)}
        more={words("end_sure_more", { n: sale.stock.held })}
        yes={words("end_yes")}
        hot
        act={() => act("end")}
      />
      <MoreActions sale={sale} refresh={refresh} toWall={toWall} />
    </div>
  );
}

type Act = (deed: string, more?: { body?: unknown; key?: string }) => Promise<void>;

// Their keys keep an open dialog from turning into the other one.
function PauseOrResume({ sale, state, act }: { sale: Sale; state: SaleState; act: Act }) {
  return state === "paused" ? (
    <Sure
      key="resume"
      look="button"
      label={words("resume")}
      title={words("resume_sure")}
      of={saleName(sale)}
      more={words("resume_sure_more")}
      yes={words("resume")}
      act={() => act("resume")}
    />
  ) : (
    <Sure
      key="pause"
      look="button"
      disabled={state === "ended"}
      label={words("pause")}
      title={words("pause_sure")}
      of={saleName(sale)}
      more={words("pause_sure_more")}
      yes={words("pause")}
      act={() => act("pause")}
    />
  );
}

function Restock({ sale, over, act }: { sale: Sale; over: boolean; act: Act }) {
  return (
    <Sure
      look="button quiet"
      disabled={over}
      label={words("restock")}
      title={words("restock_sure")}
      of={saleName(sale)}
      more={words("restock_sure_more", { n: sale.stock.left })}
      yes={words("restock")}
      act={(given, _, key) =>
        act("restock", { body: { delta: wholeNumber(given("delta")) ?? null }, key })
      }
    >
      {(wrong) => (
        <Field name="delta" label={words("restock_by")} wrong={wrong("delta")}>
          {(attributes) => <input {...attributes} type="text" inputMode="numeric" required />}
        </Field>
      )}
    </Sure>
  );
}

function MoreActions({ sale, refresh, toWall }: Omit<Props, "state">) {
  const menu = useRef<HTMLDetailsElement>(null);
  useClosing(menu);
  return (
    <details ref={menu} class="more-actions">
      <summary class="button quiet">{words("more_actions")}</summary>
      <div class="panel stack">
        <a href={`/console/plan?id=${sale.id}`}>{words("edit")}</a>
        <a href={`/console/plan?clone=${sale.id}`}>{words("clone")}</a>
        <a href={`/sale?id=${sale.id}`}>{words("see_as_shopper")}</a>
        <a href={`/console/orders?sale=${sale.id}`}>{words("place_orders")}</a>
        <a href={`/console/report?id=${sale.id}`}>{words("report")}</a>
        <a href={`/console/trail?subject=${sale.id}`}>{words("trail_of_sale")}</a>
        <a href="/console/limits">{words("change_limits")}</a>
        <Share title={saleTitle(sale)} path={`/s/${sale.id}`} />
        <button class="button quiet small" type="button" onClick={toWall}>
          {words("wall")}
        </button>
        <BlockButton done={refresh} />
      </div>
    </details>
  );
}
