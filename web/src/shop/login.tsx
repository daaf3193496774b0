import { logIn } from "../base/session";
import { mount, Page } from "../ui/page";
import { useUser } from "../ui/use_user";
import { Notice } from "../ui/parts";
import { text } from "../ui/texts";
import { AccountForm, beside, wayOn } from "./account_form";

function Login() {
  const user = useUser();
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
          <AccountForm
            label={text("log_in")}
            submit={async ({ phone, password }) => {
              await logIn(phone, password);
            }}
          >
            <p class="other">
              {text("login_new")} <a href={beside("/register")}>{text("register")}</a>
            </p>
          </AccountForm>
        </div>
      </div>
    </Page>
  );
}

mount(Login);
