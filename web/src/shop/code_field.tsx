// A field for a code that the server sends to the phone which stands in the same form.

import { useEffect, useRef, useState } from "preact/hooks";

import { Away, Problem } from "../base/api";
import { type CodePurpose, sendCode } from "../base/session";
import { Field } from "../ui/parts";
import { noAnswer, text } from "../ui/texts";
import { plainPhone, type Wrong } from "./form";

type Props = { purpose: CodePurpose; wrong: Wrong; messagesShown: boolean };

export function CodeField({ purpose, wrong, messagesShown }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [again, setAgain] = useState(0); // seconds until another can be asked for
  // The result of asking, as a function, because the language may change.
  const [told, setTold] = useState<{ say(): string } | null>(null);
  useEffect(() => {
    if (again === 0) return;
    const timer = setTimeout(() => setAgain(again - 1), 1000);
    return () => clearTimeout(timer);
  }, [again]);

  async function ask() {
    const phone = input.current?.form?.querySelector<HTMLInputElement>('[name="phone"]');
    if (!phone?.value) return phone?.focus();
    try {
      const sent = await sendCode(plainPhone(phone.value), purpose);
      setAgain(sent.resend_in_seconds);
      setTold({ say: () => text("code_sent") });
      input.current?.focus();
    } catch (failure) {
      if (!(failure instanceof Problem) && !(failure instanceof Away)) throw failure;
      const [first] = failure instanceof Problem ? failure.errors : [];
      const problem = failure instanceof Problem ? (first?.message ?? failure.message) : null;
      setTold({ say: () => problem ?? noAnswer() });
      if (failure instanceof Problem && failure.retryAfterSeconds)
        setAgain(Math.min(failure.retryAfterSeconds, 3600));
    }
  }

  return (
    <Field name="code" label={text("code")} hint={text("code_hint")} wrong={wrong("code")}>
      {(attributes) => (
        <>
          <div class="password">
            <input
              {...attributes}
              ref={input}
              type="text"
              inputMode="numeric"
              autocomplete="one-time-code"
              maxLength={16}
              required
            />
            <button
              class="button quiet small"
              type="button"
              disabled={again > 0}
              onClick={() => void ask()}
            >
              {again > 0 ? text("code_again", { n: again }) : text("code_send")}
            </button>
          </div>
          <p class="small faint" role="status">
            {told?.say()}
            {told && messagesShown && (
              <>
                {" "}
                <a href="/messages" target="_blank">
                  {text("messages_title")}
                </a>
              </>
            )}
          </p>
        </>
      )}
    </Field>
  );
}
