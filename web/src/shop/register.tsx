import { useRef } from "preact/hooks";

import { freshKey } from "../base/fresh_key";
import { logIn, register } from "../base/session";
import { mount, Page } from "../ui/page";
import { Field } from "../ui/parts";
import { text } from "../ui/texts";
import { CodeField } from "./code_field";
import { Form, PasswordField, PhoneField, phoneOf } from "./form";
import { useRules } from "./use_rules";
import { beside, wayOn } from "./way_on";

function Register() {
  // A lost reply is repeated under the same key; changed input needs another key.
  const sent = useRef({ key: "", body: "" });
  const rules = useRules();
  return (
    <Page title={text("register")}>
      <div class="account-page">
        <header>
          <h1>{text("register_title")}</h1>
          <p class="faint">
            {text(rules?.phone_code_needed ? "register_lead_code" : "register_lead")}
          </p>
        </header>
        <div class="panel">
          <Form
            label={text("register")}
            first="phone"
            submit={async (given) => {
              const wish = {
                phone: phoneOf(given),
                password: given("password"),
                name: given("name").trim(),
                code: given("code").trim(),
              };
              const body = JSON.stringify(wish);
              if (sent.current.body !== body) sent.current = { key: freshKey(), body };
              await register(wish, sent.current.key);
              await logIn(wish.phone, wish.password);
              location.assign(wayOn());
            }}
            after={
              <p class="other">
                {text("register_have")} <a href={beside("/login")}>{text("log_in")}</a>
              </p>
            }
          >
            {(wrong) => (
              <>
                <Field
                  name="name"
                  label={text("name")}
                  hint={text("name_hint")}
                  wrong={wrong("name")}
                >
                  {(attributes) => (
                    <input {...attributes} type="text" autocomplete="nickname" maxLength={100} />
                  )}
                </Field>
                <PhoneField wrong={wrong} />
                {rules?.phone_code_needed && (
                  <CodeField
                    purpose="registration"
                    wrong={wrong}
                    messagesShown={rules.messages_shown}
                  />
                )}
                <PasswordField wrong={wrong} fresh />
              </>
            )}
          </Form>
        </div>
      </div>
    </Page>
  );
}

mount(Register);
