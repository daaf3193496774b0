import { useEffect, useRef, useState } from "preact/hooks";

import { Problem } from "../base/api";
import { logIn } from "../base/session";
import { mount, Page } from "../ui/page";
import { Field, Notice } from "../ui/parts";
import { text } from "../ui/texts";
import { useUser } from "../ui/use_user";
import { Form, PasswordField, PhoneField, phoneOf, type Wrong } from "./form";
import { useRules } from "./use_rules";
import { beside, wayOn } from "./way_on";

function Login() {
  const user = useUser();
  const rules = useRules();
  const [factorNeeded, setFactorNeeded] = useState(false);
  return (
    <Page title={text("log_in")}>
      <div class="account-page">
        <header>
          <h1>{text("login_title")}</h1>
          <p class="faint">{text("login_lead")}</p>
        </header>
        {user && (
          <Notice title={text("logged_in_as", { name: user.name })}>
            <a href={wayOn()}>{text("go_on")}</a>
          </Notice>
        )}
        <div class="panel">
          <Form
            label={text("log_in")}
            first={factorNeeded ? "second_factor" : "phone"}
            submit={async (given) => {
              try {
                await logIn(phoneOf(given), given("password"), given("second_factor").trim());
              } catch (failure) {
                if (failure instanceof Problem && failure.code === "second_factor") {
                  setFactorNeeded(true);
                  if (!given("second_factor")) return; // the field appears, and says what is wanted
                }
                throw failure;
              }
              location.assign(wayOn());
            }}
            after={
              <>
                {rules?.password_reset && (
                  <p class="other">
                    <a href={beside("/forgotten")}>{text("forgotten")}</a>
                  </p>
                )}
                <p class="other">
                  {text("login_new")} <a href={beside("/register")}>{text("register")}</a>
                </p>
              </>
            }
          >
            {(wrong) => (
              <>
                <PhoneField wrong={wrong} />
                <PasswordField wrong={wrong} />
                {factorNeeded && <FactorField wrong={wrong} />}
              </>
            )}
          </Form>
        </div>
      </div>
    </Page>
  );
}

function FactorField({ wrong }: { wrong: Wrong }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <Field
      name="second_factor"
      label={text("factor_code")}
      hint={text("factor_code_hint")}
      wrong={wrong("second_factor")}
    >
      {(attributes) => (
        <input
          {...attributes}
          ref={input}
          type="text"
          autocomplete="one-time-code"
          autocapitalize="off"
          spellcheck={false}
          maxLength={20}
        />
      )}
    </Field>
  );
}

mount(Login);
