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
        <Off
          required={state?.required === true}
          begun={(secret) => setStep({ name: "scan", secret })}
        />
      )}
      {step?.name === "scan" && (
        <Scan secret={step.secret} confirmed={(codes) => setStep({ name: "codes", codes })} />
      )}
      {step?.name === "codes" && <Recovery codes={step.codes} kept={() => void look()} />}
      {step?.name === "on" && state && <On state={state} removed={look} />}
    </section>
  );
}

type OffProps = { required: boolean; begun: (secret: SecondFactorSecret) => void };

function Off({ required, begun }: OffProps) {
  return (
    <>
      {required && <Notice tone="bad" title={text("factor_required")} />}
      <p class="faint">{text("factor_lead")}</p>
      <Form
        label={text("factor_begin")}
        first="password"
        submit={async (given) => {
          const body = { password: given("password") };
          begun(await post<SecondFactorSecret>("/second-factor", { body }));
        }}
      >
        {(wrong) => <PasswordField wrong={wrong} />}
      </Form>
    </>
  );
}

type ScanProps = { secret: SecondFactorSecret; confirmed: (codes: string[]) => void };

function Scan({ secret: { uri, secret }, confirmed }: ScanProps) {
  return (
    <>
      <p>{text("factor_scan")}</p>
      <Code address={uri} />
      <p class="small">
        {text("factor_type_in")} <code class="factor-secret">{secret}</code>
      </p>
      <Form
        label={text("factor_confirm")}
        first="code"
        submit={async (given) => {
          const body = { code: given("code").trim() };
          const { recovery_codes } = await put<RecoveryCodes>("/second-factor", body);
          confirmed(recovery_codes);
        }}
      >
        {(wrong) => <FactorCode wrong={wrong} />}
      </Form>
    </>
  );
}

function Recovery({ codes, kept }: { codes: string[]; kept: () => void }) {
  return (
    <>
      <Notice tone="good" title={text("factor_is_on")}>
        {text("recovery_lead")}
      </Notice>
      <ul class="recovery-codes figures">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <button class="button" type="button" onClick={kept}>
        {text("recovery_kept")}
      </button>
    </>
  );
}

function On({ state, removed }: { state: SecondFactorState; removed: () => Promise<void> }) {
  return (
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
            await removed();
          }}
        >
          {(wrong) => <FactorCode wrong={wrong} />}
        </Form>
      )}
    </>
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
