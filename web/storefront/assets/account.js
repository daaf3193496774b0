// Register, log in, log out.

import { call, Problem } from "./api.js";
import { text } from "./texts.js";

const form = document.getElementById("signed-out");
const fields = { phone: form.elements.phone, password: form.elements.password };

export async function showAccount() {
  try {
    const { user } = await call("GET", "/sessions/current");
    show(user);
  } catch (failure) {
    if (!(failure instanceof Problem)) throw failure;
    show(null);
  }
}

function show(user) {
  document.getElementById("signed-in").hidden = !user;
  form.hidden = Boolean(user);
  document.getElementById("name").textContent = user ? user.name : "";
}

export function listenToAccount(say) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const registering = event.submitter?.value === "register";
    attempt(say, () => enter(say, registering));
  });
  document.getElementById("log-out").addEventListener("click", () => {
    attempt(say, async () => {
      await call("DELETE", "/sessions/current");
      show(null);
      say(text("logged_out"));
      fields.phone.focus();
    });
  });
}

async function enter(say, registering) {
  const credentials = { phone: fields.phone.value.trim(), password: fields.password.value };
  if (registering) {
    await call("POST", "/users", credentials);
    say(text("registered"));
  }
  const { user } = await call("POST", "/sessions", credentials);
  form.reset();
  show(user);
  say(text("welcome", user.name));
  document.getElementById("log-out").focus();
}

async function attempt(say, action) {
  const buttons = document.querySelectorAll(".account button");
  showErrors([]);
  for (const button of buttons) button.disabled = true;
  try {
    await action();
  } catch (failure) {
    if (failure instanceof Problem) {
      showErrors(failure.errors);
      say(failure.message);
    } else {
      say(text("unreachable"));
    }
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

function showErrors(errors) {
  for (const [name, field] of Object.entries(fields)) {
    const error = errors.find((each) => each.field === name);
    field.setAttribute("aria-invalid", String(Boolean(error)));
    document.getElementById(`${name}-error`).textContent = error ? error.message : "";
  }
  const first = errors.find((each) => each.field in fields);
  if (first) fields[first.field].focus();
}
