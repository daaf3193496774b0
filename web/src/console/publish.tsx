import type { RefObject } from "preact";

import type { Sale } from "../base/types";
import { saleTitle } from "../base/titles";
import { Icon } from "../ui/icon";
import { Notice, useOwnId } from "../ui/parts";
import { useAsked } from "./ask";
import { Progress } from "./buyer_list_panel";
import { type Around, checklist } from "./checklist";
import { readiness } from "./readiness";
import { words } from "./texts";
import type { Limits, Webhook } from "./types";

const once = 3_600_000;

type Props = {
  dialog: RefObject<HTMLDialogElement>;
  sale: Sale;
  opensNow: boolean;
  working: boolean;
  trouble: string | null;
  // How many are on the list that goes with the sale, and how much of it is sent.
  listed: { count: number; sent: [number, number] | null };
  publish: () => void;
};

function useAround(listed: number): Around {
  const { value } = useAsked<{ webhooks: Webhook[] }>("/admin/webhooks", once);
  const limits = useAsked<Limits>("/admin/limits", once).value;
  const ready = useAsked("/readyz", once, readiness).value;
  return {
    listed,
    webhooks: value?.webhooks.length ?? null,
    // A server that takes payments has nothing to say about them.
    payable: ready ? !ready.parts.some(({ name }) => name === "payments") : null,
    perSecond: limits ? perSecondOf(limits) : null,
  };
}

const perSecondOf = ({ enabled, limits }: Limits) => (enabled ? limits.sale.per_second.value : 0);

// Nothing is public before the operator has seen how it will look.
export function Publish(props: Props) {
  const { dialog, sale, opensNow, working, trouble, publish, listed } = props;
  const around = useAround(listed.count);
  const heading = useOwnId();
  return (
    <dialog ref={dialog} aria-labelledby={heading}>
      <div class="stack">
        <h2 id={heading}>{words(opensNow ? "publish_now_sure" : "publish_sure")}</h2>
        <p class="faint">{saleTitle(sale)}</p>
        <dl class="checklist">
          {checklist(sale, opensNow, around).map((line) => (
            <div key={line.name} class={line.doubt ? "doubt" : undefined}>
              <dt>
                <Icon name={line.doubt ? "info" : "check"} />
                {line.label}
              </dt>
              <dd>
                {line.value}
                {line.doubt && <span class="small">{line.doubt}</span>}
              </dd>
            </div>
          ))}
        </dl>
        {listed.sent && <Progress done={listed.sent[0]} all={listed.sent[1]} />}
        <div role="alert">{trouble && <Notice tone="bad" title={trouble} />}</div>
        <div class="row">
          <button class="button quiet" type="button" onClick={() => dialog.current?.close()}>
            {words("leave_it")}
          </button>
          <button
            class={opensNow ? "button hot" : "button"}
            type="button"
            disabled={working}
            onClick={publish}
          >
            {words(opensNow ? "publish_now" : "publish")}
          </button>
        </div>
      </div>
    </dialog>
  );
}
