// Setting up a second factor: the password, then the QR code with its first code, then the recovery
// codes, which are shown once.

import { useEffect, useState } from "preact/hooks";

import { get, post, put } from "../base/api";
import { askForSession } from "../base/session";
import type { RecoveryCodes, SecondFactorSecret, SecondFactorState } from "../base/types";
import { Field, Notice, Skeleton } from "../ui/parts";
import { text } from "../ui/texts";
import { Form, PasswordField, type Wrong } from "./form";

type Step =
  | { name: "off" }
  | { name: "scan"; secret: SecondFactorSecret }
  | { name: "codes"; codes: string[] }
  | { name: "on" };

export function SecondFactor() {
  const [state, setState] = useState<SecondFactorState | null>(null);
  const [step, setStep] = useState<Step | null>(null);
  const look = () =>
    get<SecondFactorState>("/second-factor").then(
      (found) => {
        setState(found);
        void askForSession().catch(() => {}); // the console may be open from now on
        setStep(found.on ? { name: "on" } : { name: "off" });
      },
      () => {},
    );
  useEffect(() => void look(), []);
  return (
    <section class="panel stack" aria-labelledby="factor-title">
      <h2 id="factor-title">{text("factor_title")}</h2>
      {!step && <Skeleton height="6rem" />}
      {step?.name === "off" && (
        <>
          {state?.required && <Notice tone="bad" title={text("factor_required")} />}
          <p class="faint">{text("factor_lead")}</p>
          <Form
            label={text("factor_begin")}
            first="password"
            submit={async (given) => {
              const body = { password: given("password") };
              const secret = await post<SecondFactorSecret>("/second-factor", { body });
              setStep({ name: "scan", secret });
            }}
          >
            {(wrong) => <PasswordField wrong={wrong} />}
          </Form>
        </>
      )}
      {step?.name === "scan" && (
        <>
          <p>{text("factor_scan")}</p>
          <Code address={step.secret.uri} />
          <p class="small">
            {text("factor_type_in")} <code class="factor-secret">{step.secret.secret}</code>
          </p>
          <Form
            label={text("factor_confirm")}
            first="code"
            submit={async (given) => {
              const body = { code: given("code").trim() };
              const { recovery_codes } = await put<RecoveryCodes>("/second-factor", body);
              setStep({ name: "codes", codes: recovery_codes });
            }}
          >
            {(wrong) => <FactorCode wrong={wrong} />}
          </Form>
        </>
      )}
      {step?.name === "codes" && (
        <>
          <Notice tone="good" title={text("factor_is_on")}>
            {text("recovery_lead")}
          </Notice>
          <ul class="recovery-codes figures">
            {step.codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <button class="button" type="button" onClick={() => void look()}>
            {text("recovery_kept")}
          </button>
        </>
      )}
      {step?.name === "on" && state && (
        <>
          <Notice tone="good" title={text("factor_is_on")}>
            {text("recovery_left", { n: state.recovery_codes_left })}
          </Notice>
          {!state.required && (
            <Form
              label={text("factor_remove")}
              first="code"
              submit={async (given) => {
                await post("/second-factor/removal", { body: { code: given("code").trim() } });
                await look();
              }}
            >
              {(wrong) => <FactorCode wrong={wrong} />}
            </Form>
          )}
        </>
      )}
    </section>
  );
}

function FactorCode({ wrong }: { wrong: Wrong }) {
  return (
    <Field
      name="code"
      label={text("factor_code")}
      hint={text("factor_code_hint")}
      wrong={wrong("code")}
    >
      {(attributes) => (
        <input
          {...attributes}
          type="text"
          autocomplete="one-time-code"
          autocapitalize="off"
          spellcheck={false}
          maxLength={20}
          required
        />
      )}
    </Field>
  );
}

type Encoder = typeof import("../ui/qr_code");

// What cannot be drawn can be typed in: the secret stands below.
function Code({ address }: { address: string }) {
  const [encoder, setEncoder] = useState<Encoder | null>(null);
  useEffect(() => {
    import("../ui/qr_code").then(setEncoder, () => {});
  }, []);
  if (!encoder) return <div class="qr-code skeleton" aria-hidden="true" />;
  const { size, path } = encoder.qrCode(address);
  return (
    <svg class="qr-code" role="img" aria-label={text("qr")} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} />
    </svg>
  );
}
