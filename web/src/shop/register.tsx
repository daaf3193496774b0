import { useRef } from "preact/hooks";

import { freshKey } from "../base/fresh_key";
import { logIn, register } from "../base/session";
import { mount, Page } from "../ui/page";
import { text } from "../ui/texts";
import { AccountForm, beside } from "./account_form";

function Register() {
  // A lost reply is repeated under the same key; other words need another.
  const sent = useRef({ key: "", body: "" });
  return (
    <Page title={text("register")}>
      <div class="account-page">
        <header>
          <h1>{text("register_title")}</h1>
          <p class="faint">{text("register_lead")}</p>
        </header>
        <div class="panel">
          <AccountForm
            label={text("register")}
            withName
            submit={async (values) => {
              const body = JSON.stringify(values);
              if (sent.current.body !== body) sent.current = { key: freshKey(), body };
              await register(values.phone, values.password, values.name, sent.current.key);
              await logIn(values.phone, values.password);
            }}
          >
            <p class="other">
              {text("register_have")} <a href={beside("/login")}>{text("log_in")}</a>
            </p>
          </AccountForm>
        </div>
      </div>
    </Page>
  );
}

mount(Register);
