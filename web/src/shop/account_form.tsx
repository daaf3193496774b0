// What logging in and registering have in common: fields, the server's complaints beside them, and
// the way on.

import "./account.css";

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

import { Away, Problem } from "../base/api";
import { safeReturn } from "../base/session";
import type { FieldError } from "../base/types";
import { Icon } from "../ui/icon";
import { Field, Notice } from "../ui/parts";
import { noAnswer, text } from "../ui/texts";

const wanted = new URLSearchParams(location.search).get("to");

export const wayOn = () => safeReturn(wanted, location.origin);

// The other page of the two, which must lead to the same place in the end.
export const beside = (page: string) =>
  wanted ? `${page}?to=${encodeURIComponent(wanted)}` : page;

type Values = { phone: string; password: string; name: string };
type Props = {
  label: string;
  withName?: boolean;
  submit: (values: Values) => Promise<void>;
  children: ComponentChildren;
};

export function AccountForm({ label, withName = false, submit, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [working, setWorking] = useState(false);
  const [shown, setShown] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [errors, setErrors] = useState<FieldError[]>([]);
  const wrong = (name: string) => errors.find((error) => error.field === name)?.message;

  async function send(event: Event) {
    event.preventDefault();
    if (working) return;
    const given = new FormData(form.current!);
    const value = (name: string) => String(given.get(name) ?? "");
    setWorking(true);
    setTrouble(null);
    setErrors([]);
    try {
      await submit({
        phone: value("phone").trim(),
        password: value("password"),
        name: value("name").trim(),
      });
      location.assign(wayOn());
    } catch (failure) {
      setWorking(false);
      if (!(failure instanceof Problem) && !(failure instanceof Away)) throw failure;
      const found = failure instanceof Problem ? failure.errors : [];
      setErrors(found);
      if (found.length === 0) setTrouble(failure instanceof Problem ? failure.message : noAnswer());
      const first = found[0]?.field ?? "phone";
      form.current?.querySelector<HTMLInputElement>(`[name="${CSS.escape(first)}"]`)?.focus();
    }
  }

  return (
    <form ref={form} class="stack" onSubmit={(event) => void send(event)} noValidate>
      <div role="alert">{trouble && <Notice tone="bad" title={trouble} />}</div>
      {withName && (
        <Field name="name" label={text("name")} hint={text("name_hint")} wrong={wrong("name")}>
          {(attributes) => (
            <input {...attributes} type="text" autocomplete="nickname" maxLength={100} />
          )}
        </Field>
      )}
      <Field name="phone" label={text("phone")} hint={text("phone_hint")} wrong={wrong("phone")}>
        {(attributes) => <input {...attributes} type="tel" autocomplete="username" required />}
      </Field>
      <Field
        name="password"
        label={text("password")}
        hint={text("password_hint")}
        wrong={wrong("password")}
      >
        {(attributes) => (
          <div class="password">
            <input
              {...attributes}
              type={shown ? "text" : "password"}
              autocomplete={withName ? "new-password" : "current-password"}
              autocapitalize="off"
              spellcheck={false}
              maxLength={128}
              required
            />
            <button
              class="button quiet small"
              type="button"
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              <Icon name="eye" />
              <span class="visually-hidden">{text("password_show")}</span>
            </button>
          </div>
        )}
      </Field>
      <button class="button big" type="submit" disabled={working}>
        {working && <span class="spinner" aria-hidden="true" />}
        {label}
      </button>
      {children}
    </form>
  );
}
