import { useState } from "preact/hooks";

import { resetPassword } from "../base/session";
import { mount, Page } from "../ui/page";
import { Notice } from "../ui/parts";
import { text } from "../ui/texts";
import { CodeField } from "./code_field";
import { Form, PasswordField, PhoneField, phoneOf } from "./form";
import { useRules } from "./use_rules";
import { beside } from "./way_on";

function Forgotten() {
  const rules = useRules();
  const [done, setDone] = useState(false);
  return (
    <Page title={text("forgotten_title")}>
      <div class="account-page">
        <header>
          <h1>{text("forgotten_title")}</h1>
          <p class="faint">{text("forgotten_lead")}</p>
        </header>
        <div role="status">
          {done && (
            <Notice tone="good" title={text("forgotten_done")}>
              <a href={beside("/login")}>{text("log_in")}</a>
            </Notice>
          )}
        </div>
        {rules && !rules.password_reset && <Notice title={text("forgotten_not_here")} />}
        {rules?.password_reset && !done && (
          <div class="panel">
            <Form
              label={text("forgotten_set")}
              first="phone"
              submit={async (given) => {
                await resetPassword(phoneOf(given), given("password"), given("code").trim());
                setDone(true);
              }}
            >
              {(wrong) => (
                <>
                  <PhoneField wrong={wrong} />
                  <CodeField
                    purpose="password"
                    wrong={wrong}
                    messagesShown={rules.messages_shown}
                  />
                  <PasswordField wrong={wrong} label={text("password_new")} fresh />
                </>
              )}
            </Form>
          </div>
        )}
      </div>
    </Page>
  );
}

mount(Forgotten);
