// A button that asks before it acts.

import { type ComponentChildren, Fragment } from "preact";
import { useRef, useState } from "preact/hooks";

import { DeedKey } from "../base/deed_key";
import { Notice, useOwnId } from "../ui/parts";
import { say } from "../ui/say";
import { useSending } from "./send";
import { words } from "./texts";

type Given<Value> = (name: string) => Value;

type Props = {
  label: string;
  look?: string;
  disabled?: boolean;
  title: string;
  // The thing that it changes, where the page has several of its kind.
  of?: string | undefined;
  more?: string;
  yes: string;
  hot?: boolean;
  // The text for screen readers; a function is called when the action is done.
  done?: string | (() => string);
  // Values of text fields come by their names; ticked boxes come as a list. `key`: the
  // Idempotency-Key.
  act: (given: Given<string>, all: Given<string[]>, key: string) => Promise<unknown>;
  children?: (wrong: (name: string) => string | undefined) => ComponentChildren;
};

export function Sure(props: Props) {
  const { label, look = "button quiet small", disabled = false, title, more, yes, hot } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useOwnId();
  const key = useRef(new DeedKey());
  const [opened, setOpened] = useState(0); // each time with fresh fields
  const { form, working, trouble, wrong, send, clear } = useSending();

  async function submit(event: Event) {
    event.preventDefault();
    const given = new FormData(form.current!);
    const went = await send(async () => {
      await key.current.use((current) =>
        props.act(
          (name) => String(given.get(name) ?? "").trim(),
          (name) => given.getAll(name).map(String),
          current,
        ),
      );
    });
    if (!went) return;
    dialog.current?.close();
    say((typeof props.done === "function" ? props.done() : props.done) ?? words("done"));
  }

  function open() {
    clear();
    key.current = new DeedKey();
    setOpened(opened + 1);
    dialog.current?.showModal();
  }

  return (
    <>
      <button class={look} type="button" disabled={disabled} onClick={open}>
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={heading}>
        <form ref={form} class="stack" noValidate onSubmit={(event) => void submit(event)}>
          <h2 id={heading}>{title}</h2>
          {props.of && <p class="breakable">{props.of}</p>}
          {more && <p class="faint">{more}</p>}
          <Fragment key={opened}>{props.children?.(wrong)}</Fragment>
          <div role="alert">{trouble && <Notice tone="bad" title={trouble} />}</div>
          <div class="row">
            <button class="button quiet" type="button" onClick={() => dialog.current?.close()}>
              {words("leave_it")}
            </button>
            <button class={hot ? "button hot" : "button"} type="submit" disabled={working}>
              {yes}
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
