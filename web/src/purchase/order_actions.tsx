// Pay or cancel, wherever an order is shown.

import { useEffect, useRef, useState } from "preact/hooks";

import { Away, post, Problem } from "../base/api";
import { DeedKey } from "../base/deed_key";
import { money } from "../base/format";
import { untilAnswered } from "../base/persist";
import type { Order, Payment } from "../base/types";
import { Notice } from "../ui/parts";
import { noAnswer, text } from "../ui/texts";
import { useOnline } from "../ui/use_online";

type Props = { order: Order; onChange: (order: Order) => void };

export function OrderActions({ order, onChange }: Props) {
  const { pay, working, waits, trouble, setTrouble, stop } = usePaying(order);
  if (order.state !== "pending") return null;
  return (
    <div class="stack">
      {order.payment_failed && !working && (
        <Notice tone="bad" title={text("pay_failed")}>
          {text("pay_failed_more")}
        </Notice>
      )}
      <div role="alert">
        {waits && <Waiting stop={stop} />}
        {trouble && <Notice tone="warn" title={trouble} />}
      </div>
      <div class="next-step">
        <button class="button hot big" type="button" disabled={working} onClick={pay}>
          {working && <span class="spinner" aria-hidden="true" />}
          {text("pay", { price: money(order.total_cents, order.currency) })}
        </button>
      </div>
      <Cancel order={order} disabled={working} onChange={onChange} onTrouble={setTrouble} />
    </div>
  );
}

// The same payment is requested until there is an answer: the order waits, and its time runs.
export function usePaying(order: Order) {
  const [working, setWorking] = useState(false);
  const [waits, setWaits] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const key = useRef(new DeedKey());
  const wanted = useRef(false);
  const pending = order.state === "pending";
  useEffect(() => () => void (wanted.current = false), [order.id, pending]);

  async function pay() {
    if (working) return;
    wanted.current = true;
    setWorking(true);
    setTrouble(null);
    try {
      const ask = () =>
        key.current.use((current) =>
          post<Payment>(`/orders/${order.id}/payments`, { key: current }),
        );
      const payment = await untilAnswered(ask, {
        waits: () => setWaits(true),
        wanted: () => wanted.current,
      });
      location.assign(payment.pay_url);
    } catch (failure) {
      if (wanted.current) setTrouble(wordsFor(failure));
    } finally {
      setWorking(false);
      setWaits(false);
    }
  }

  const stop = () => {
    wanted.current = false;
    setWorking(false);
    setWaits(false);
  };
  return { pay: () => void pay(), working, waits, trouble, setTrouble, stop };
}

function Waiting({ stop }: { stop: () => void }) {
  const online = useOnline();
  return (
    <Notice tone="warn" icon="cloud" title={text(online ? "p_waiting_away" : "p_waiting_offline")}>
      <p>{text("pay_again_more")}</p>
      <button class="button quiet small" type="button" onClick={stop}>
        {text("stop_waiting")}
      </button>
    </Notice>
  );
}

type CancelProps = Props & { disabled: boolean; onTrouble: (trouble: string | null) => void };

function Cancel({ order, disabled, onChange, onTrouble }: CancelProps) {
  const [working, setWorking] = useState(false);
  const sure = useRef<HTMLDialogElement>(null);

  async function cancel() {
    setWorking(true);
    onTrouble(null);
    sure.current?.close();
    try {
      onChange(await post<Order>(`/orders/${order.id}/cancel`));
    } catch (failure) {
      onTrouble(wordsFor(failure));
    } finally {
      setWorking(false);
    }
  }

  return (
    <div class="row">
      <button
        class="button quiet small"
        type="button"
        disabled={disabled || working}
        onClick={() => sure.current?.showModal()}
      >
        {text("cancel_order")}
      </button>
      <dialog ref={sure} aria-labelledby="sure-title">
        <div class="stack">
          <h2 id="sure-title">{text("cancel_sure")}</h2>
          <p class="faint">{text("cancel_sure_more")}</p>
          <div class="row">
            <button class="button quiet" type="button" onClick={() => sure.current?.close()}>
              {text("cancel_no")}
            </button>
            <button class="button hot" type="button" onClick={() => void cancel()}>
              {text("cancel_yes")}
            </button>
          </div>
        </div>
      </dialog>
    </div>
  );
}

function wordsFor(failure: unknown): string {
  if (failure instanceof Away) return noAnswer();
  if (!(failure instanceof Problem)) throw failure;
  // The order exists and is ours, so it is the payment address that does not exist.
  return failure.code === "not_found" ? text("pay_unavailable") : failure.message;
}
