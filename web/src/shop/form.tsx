// A form whose fields the server checks: its complaints stand beside the fields, and other errors
// above them.

import "./account.css";

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";

import { Away, Problem } from "../base/api";
import type { FieldError } from "../base/types";
import { Icon } from "../ui/icon";
import { Field, Notice } from "../ui/parts";
import { noAnswer, text } from "../ui/texts";

export type Given = (name: string) => string;
export type Wrong = (name: string) => string | undefined;

type Props = {
  label: string;
  // The field that gets the focus when no other has an error.
  first: string;
  submit: (given: Given) => Promise<void>;
  children: (wrong: Wrong) => ComponentChildren;
  // Below the button.
  after?: ComponentChildren;
};

export function Form({ label, first, submit, children, after }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [working, setWorking] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [errors, setErrors] = useState<FieldError[]>([]);
  const wrong = (name: string) => errors.find((error) => error.field === name)?.message;

  async function send(event: Event) {
    event.preventDefault();
    if (working) return;
    const given = new FormData(form.current!);
    setWorking(true);
    setTrouble(null);
    setErrors([]);
    try {
      await submit((name) => String(given.get(name) ?? ""));
    } catch (failure) {
      if (!(failure instanceof Problem) && !(failure instanceof Away)) throw failure;
      const found = failure instanceof Problem ? failure.errors : [];
      setErrors(found);
      if (found.length === 0) setTrouble(failure instanceof Problem ? failure.message : noAnswer());
      const place = found[0]?.field ?? first;
      form.current?.querySelector<HTMLInputElement>(`[name="${CSS.escape(place)}"]`)?.focus();
    } finally {
      setWorking(false);
    }
  }

  return (
    <form ref={form} class="stack" onSubmit={(event) => void send(event)} noValidate>
      <div role="alert">{trouble && <Notice tone="bad" title={trouble} />}</div>
      {children(wrong)}
      <button class="button big" type="submit" disabled={working}>
        {working && <span class="spinner" aria-hidden="true" />}
        {label}
      </button>
      {after}
    </form>
  );
}

export function PhoneField({ wrong }: { wrong: Wrong }) {
  return (
    <Field name="phone" label={text("phone")} hint={text("phone_hint")} wrong={wrong("phone")}>
      {(attributes) => <input {...attributes} type="tel" autocomplete="username" required />}
    </Field>
  );
}

// As people write it down: 137 1234 5678, (030) 12-34.
export const plainPhone = (written: string) => written.replace(/[\s()./-]/g, "");

export const phoneOf = (given: Given) => plainPhone(given("phone"));

type PasswordProps = {
  wrong: Wrong;
  name?: string;
  label?: string;
  // For a new password, not for one that exists.
  fresh?: boolean;
};

export function PasswordField({ wrong, name = "password", label, fresh = false }: PasswordProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      name={name}
      label={label ?? text("password")}
      hint={fresh ? text("password_hint") : ""}
      wrong={wrong(name)}
    >
      {(attributes) => (
        <div class="password">
          <input
            {...attributes}
            type={shown ? "text" : "password"}
            autocomplete={fresh ? "new-password" : "current-password"}
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
  );
}
