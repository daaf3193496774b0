// One's own account: the password, and for staff the second factor.

import { useState } from "preact/hooks";

import { changePassword, isStaff, loginAddress } from "../base/session";
import { mount, Page } from "../ui/page";
import { Empty, Notice } from "../ui/parts";
import { text } from "../ui/texts";
import { useUser } from "../ui/use_user";
import { AccountContact } from "./contact_of_account";
import { Form, PasswordField } from "./form";
import { SecondFactor } from "./second_factor";

function Account() {
  const user = useUser();
  return (
    <Page title={text("account_title")}>
      {user ? (
        <div class="account-page">
          <header>
            <h1>{text("account_title")}</h1>
            <p class="faint">{text("logged_in_as", { name: user.name })}</p>
          </header>
          {isStaff(user) && <SecondFactor />}
          <Password />
          <AccountContact />
        </div>
      ) : (
        <Empty icon="box" title={text("account_log_in")} alone>
          <a class="button" href={loginAddress()}>
            {text("log_in")}
          </a>
        </Empty>
      )}
    </Page>
  );
}

function Password() {
  // A new form after each change, with empty fields.
  const [times, setTimes] = useState(0);
  return (
    <section class="panel stack" aria-labelledby="password-title">
      <h2 id="password-title">{text("password_change")}</h2>
      <p class="faint">{text("password_change_more")}</p>
      <div role="status">
        {times > 0 && <Notice tone="good" title={text("password_changed")} />}
      </div>
      <Form
        key={times}
        label={text("password_change")}
        first="current_password"
        submit={async (given) => {
          await changePassword(given("current_password"), given("new_password"));
          setTimes(times + 1);
        }}
      >
        {(wrong) => (
          <>
            <PasswordField wrong={wrong} name="current_password" label={text("password_present")} />
            <PasswordField wrong={wrong} name="new_password" label={text("password_new")} fresh />
          </>
        )}
      </Form>
    </section>
  );
}

mount(Account);
