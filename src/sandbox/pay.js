// The page's texts stand in its HTML, in the visitor's language; here is only what happens.
const account = `/sandbox/bills/${location.pathname.split("/").pop()}`;
const amount = document.getElementById("amount");
const message = document.getElementById("message");
const back = document.getElementById("back");
const buttons = [...document.querySelectorAll("[data-button]")];

function say(what) {
  message.textContent = message.dataset[what];
}

function enable(on) {
  for (const button of buttons) button.disabled = !on;
}

function show(bill) {
  const money = new Intl.NumberFormat(document.documentElement.lang, {
    style: "currency",
    currency: bill.currency,
    currencyDisplay: "narrowSymbol",
  });
  amount.textContent = money.format(bill.amount_cents / 10 ** money.resolvedOptions().maximumFractionDigits);
  enable(!bill.paid);
}

async function load() {
  enable(false);
  const answer = await fetch(account);
  if (answer.status === 404) return say("unknown");
  if (!answer.ok) return say("error");
  const bill = await answer.json();
  show(bill);
  if (bill.paid) say("paid");
}

async function press(button) {
  enable(false);
  const answer = await fetch(account, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ button }),
  });
  if (answer.ok) {
    show(await answer.json());
    say(button);
    back.focus();
  } else if (answer.status === 409) {
    say("paid");
  } else {
    enable(true);
    say("error");
  }
}

for (const each of buttons)
  each.addEventListener("click", () => press(each.dataset.button).catch(() => { enable(true); say("error"); }));
// In place of this page, so that the way back stays one step.
const language = document.querySelector("header a");
language.addEventListener("click", (event) => {
  event.preventDefault();
  location.replace(language.href);
});
// Where the shopper came from shows the order, and what has become of it.
back.addEventListener("click", (event) => {
  if (history.length === 1) return;
  event.preventDefault();
  history.back();
});
load().catch(() => say("error"));
