// Sends what an operator filled in, and shows what the server found wrong with it.

import { useRef, useState } from "preact/hooks";

import { Away, Problem } from "../base/api";
import { DeedKey } from "../base/deed_key";
import { sessionEnded } from "../base/session";
import type { FieldError } from "../base/types";
import { inWordsOfTheForm, labelOf } from "./checks";
import { words } from "./texts";

export function useSending() {
  const form = useRef<HTMLFormElement>(null);
  const [working, setWorking] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [errors, setErrors] = useState<FieldError[]>([]);
  const control = (name: string) =>
    form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`);

  function clear() {
    setTrouble(null);
    setErrors([]);
  }

  // True when it worked. Errors that belong to no field of the form are shown above it.
  async function send(action: () => Promise<void>): Promise<boolean> {
    if (working) return false;
    setWorking(true);
    clear();
    try {
      await action();
      return true;
    } catch (failure) {
      if (failure instanceof Away) setTrouble(words("unanswered"));
      else if (failure instanceof Problem) complain(failure);
      else throw failure;
      return false;
    } finally {
      setWorking(false);
    }
  }

  function complain(problem: Problem) {
    if (problem.code === "unauthenticated") sessionEnded();
    const placed = problem.errors.filter((error) => control(error.field));
    const others = problem.errors.filter((error) => !placed.includes(error));
    setErrors(placed.map(({ field, message }) => ({ field, message: inWordsOfTheForm(message) })));
    if (placed.length === 0 || others.length > 0)
      setTrouble([problem.message, ...others.map(inWords)].join(" "));
    if (placed[0]) control(placed[0].field)?.focus();
  }

  // True when nothing is wrong with what was typed, so that it can be sent.
  function isFine(found: FieldError[]): boolean {
    clear();
    setErrors(found);
    if (found[0]) control(found[0].field)?.focus();
    return found.length === 0;
  }

  const wrong = (name: string) => errors.find((error) => error.field === name)?.message;
  return { form, working, trouble, wrong, send, isFine, clear };
}

// A creation with an Idempotency-Key: changed input needs a new key.
export function useCreation() {
  const sent = useRef({ key: new DeedKey(), body: "" });
  return <Answer>(body: unknown, create: (key: string) => Promise<Answer>): Promise<Answer> => {
    const said = JSON.stringify(body);
    if (sent.current.body !== said) sent.current = { key: new DeedKey(), body: said };
    return sent.current.key.use(create);
  };
}

function inWords(error: FieldError): string {
  const message = inWordsOfTheForm(error.message);
  return error.field ? `${labelOf(error.field)}: ${message}` : message;
}
