// Refunds all paid orders that the filter finds, after a preview.

import { useRef, useState } from "preact/hooks";

import { Away, get, post, Problem } from "../base/api";
import { money, number } from "../base/format";
import { Notice, useOwnId } from "../ui/parts";
import { say } from "../ui/say";
import { noAnswer } from "../ui/texts";
import { mostAtOnce, type Preview, previewOf, type Progress, refundAll } from "./bulk_refund_data";
import { words } from "./texts";

const shownNames = 5;

// `wish`: a filter of the list of orders, for paid orders of one sale.
type Props = { wish: string; of: string | undefined; done: () => void };

export function BulkRefund({ wish, of, done }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useOwnId();
  const { preview, progress, working, over, trouble, ...refund } = useRefund(wish, done);

  function open() {
    dialog.current?.showModal();
    refund.begin();
  }

  function leave() {
    refund.stop();
    if (!working) dialog.current?.close();
  }

  return (
    <>
      <button class="button quiet danger" type="button" onClick={open}>
        {words("bulk_refund")}
      </button>
      <dialog
        ref={dialog}
        aria-labelledby={heading}
        onCancel={(event) => {
          event.preventDefault();
          leave();
        }}
      >
        <div class="stack">
          <h2 id={heading}>{words("bulk_refund_sure")}</h2>
          {of && <p class="breakable">{of}</p>}
          {!preview && working && <span class="spinner" aria-hidden="true" />}
          {preview && <Shown preview={preview} />}
          <p role="status">{progress && preview && progressText(progress, preview)}</p>
          <div role="alert">{trouble && <Notice tone="bad" title={trouble} />}</div>
          <div class="row">
            <button class="button quiet" type="button" onClick={leave}>
              {words(over ? "close" : working && progress ? "bulk_refund_stop" : "leave_it")}
            </button>
            {preview && preview.orders.length > 0 && !over && (
              <button
                class="button hot"
                type="button"
                disabled={working}
                onClick={() => refund.carryOut(preview)}
              >
                {words("bulk_refund_yes", { n: preview.orders.length })}
              </button>
            )}
          </div>
        </div>
      </dialog>
    </>
  );
}

// From the preview to the last refund. `over`: all orders were tried.
function useRefund(wish: string, done: () => void) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [working, setWorking] = useState(false);
  const [over, setOver] = useState(false);
  const [trouble, setTrouble] = useState("");
  const wanted = useRef(false);

  async function attempt(action: () => Promise<void>) {
    setTrouble("");
    setWorking(true);
    try {
      await action();
    } catch (failure) {
      if (failure instanceof Problem) setTrouble(failure.message);
      else if (failure instanceof Away) setTrouble(noAnswer());
      else throw failure;
    } finally {
      setWorking(false);
    }
  }

  function begin() {
    setPreview(null);
    setProgress(null);
    setOver(false);
    void attempt(async () => setPreview(await previewOf(wish, get)));
  }

  function carryOut({ orders }: Preview) {
    wanted.current = true;
    void attempt(async () => {
      await refundAll(orders, {
        refund: ({ id }) => post(`/admin/orders/${id}/refund`),
        pause: (seconds) => new Promise((rested) => setTimeout(rested, seconds * 1000)),
        wanted: () => wanted.current,
        tell: setProgress,
      });
      setOver(true);
      say(words("done"));
    }).finally(done);
  }

  function stop() {
    wanted.current = false;
  }

  return { preview, progress, working, over, trouble, begin, carryOut, stop };
}

function Shown({ preview: { orders, units, cents, more } }: { preview: Preview }) {
  const [first] = orders;
  if (!first) return <p>{words("orders_none")}</p>;
  const others = orders.length - shownNames;
  return (
    <>
      <p>
        <strong>
          {words("orders_count", { n: orders.length })} · {words("units_count", { n: units })} ·{" "}
          {money(cents, first.currency)}
        </strong>
      </p>
      <p class="faint">{words("bulk_refund_more")}</p>
      <ul class="small">
        {orders.slice(0, shownNames).map((order) => (
          <li key={order.id}>
            {order.buyer_name || order.buyer_phone} · {money(order.total_cents, order.currency)}
          </li>
        ))}
        {others > 0 && <li>{words("calendar_more", { n: number(others) })}</li>}
      </ul>
      {more && <Notice tone="warn" title={words("bulk_refund_bound", { n: mostAtOnce })} />}
    </>
  );
}

function progressText({ done, failed, cents }: Progress, { orders }: Preview): string {
  return words(failed > 0 ? "bulk_refund_progress_some" : "bulk_refund_progress", {
    done: number(done),
    all: number(orders.length),
    failed: number(failed),
    money: money(cents, orders[0]!.currency),
  });
}
