// The landing page: running and coming sales with a countdown on the server's clock.

import { listenToAccount, showAccount } from "./account.js";
import { call, serverNow, synchroniseClock } from "./api.js";
import { currentLanguage, money, switchLanguage, text } from "./texts.js";

const REFRESH_MS = 5_000;
const RESYNCHRONISE_MS = 60_000;
const PAGES = 5; // of a hundred; a shop with more sales than that has a page of its own to browse

let sales = [];
let connected = true;

const element = (id) => document.getElementById(id);

function say(message) {
  element("status").textContent = message;
}

function translate() {
  document.documentElement.lang = currentLanguage() === "zh" ? "zh-CN" : "en";
  for (const node of document.querySelectorAll("[data-text]"))
    node.textContent = text(node.dataset.text);
  const button = element("language");
  button.textContent = text("other_language");
  button.lang = currentLanguage() === "zh" ? "en" : "zh";
}

async function list(state) {
  const found = [];
  let cursor = null;
  for (let page = 0; page < PAGES; page++) {
    const more = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const answer = await call("GET", `/sales?state=${state}&limit=100${more}`);
    found.push(...answer.sales);
    cursor = answer.next_cursor;
    if (!cursor) break;
  }
  return found;
}

async function refresh() {
  try {
    if (serverNow() === null) await synchroniseClock();
    const states = ["open", "paused", "sold_out", "scheduled"];
    const before = new Map(sales.map((sale) => [sale.id, sale.state]));
    sales = (await Promise.all(states.map(list))).flat();
    for (const sale of sales)
      if (sale.state === "open" && before.get(sale.id) === "scheduled")
        say(text("started", sale.item.title));
    if (!connected) say(text("reachable"));
    connected = true;
    draw();
  } catch {
    if (connected) say(text("unreachable"));
    connected = false;
  }
}

function draw() {
  const start = (sale) => Date.parse(sale.starts_at);
  const running = sales.filter((sale) => sale.state !== "scheduled");
  const coming = sales.filter((sale) => sale.state === "scheduled").sort((a, b) => start(a) - start(b));
  fill("open", running);
  fill("coming", coming);
  tick();
}

// Cards are kept and updated, so that focus and screen readers are not thrown about.
function fill(id, shown) {
  const place = element(id);
  const old = new Map([...place.children].map((card) => [card.dataset.sale, card]));
  const cards = shown.map((sale) => {
    const card = old.get(sale.id) ?? element("card").content.firstElementChild.cloneNode(true);
    update(card, sale);
    return card;
  });
  if (cards.some((card, i) => place.children[i] !== card) || cards.length !== old.size)
    place.replaceChildren(...cards);
  element(`${id}-none`).hidden = cards.length > 0;
}

function update(card, sale) {
  const { item, stock } = sale;
  card.dataset.sale = sale.id;
  const picture = card.querySelector("img");
  picture.hidden = !item.image_url;
  if (item.image_url && picture.getAttribute("src") !== item.image_url) picture.src = item.image_url;
  card.querySelector("h3").textContent = item.title;
  card.querySelector(".price strong").textContent = money(sale.price_cents, sale.currency);
  const cheaper = sale.price_cents < item.list_price_cents;
  card.querySelector(".price s").textContent = cheaper ? money(item.list_price_cents, item.currency) : "";

  const bar = card.querySelector("progress");
  bar.max = Math.max(1, stock.total);
  bar.value = stock.left;
  bar.hidden = sale.state === "scheduled";
  const left = sale.state === "scheduled" ? text("stock", stock.total) : text("left", stock.left, stock.total);
  card.querySelector(".stock p").textContent = left;
  bar.setAttribute("aria-label", left);
}

function tick() {
  const now = serverNow();
  if (now === null) return;
  element("clock").textContent = new Date(now).toLocaleTimeString(currentLanguage(), { hour12: false });
  let due = false;
  for (const sale of sales) {
    const card = document.querySelector(`[data-sale="${CSS.escape(sale.id)}"]`);
    if (!card) continue;
    const edge = Date.parse(sale.state === "scheduled" ? sale.starts_at : sale.ends_at ?? "");
    const [words, count] = [card.querySelector(".when span"), card.querySelector(".countdown")];
    words.textContent = wordsFor(sale);
    count.textContent = counts(sale) ? remaining(edge - now) : "";
    due ||= counts(sale) && edge <= now && now - edge < 1000;
  }
  if (due) refresh();
}

function counts(sale) {
  return sale.state === "scheduled" || (sale.state === "open" && sale.ends_at !== null);
}

function wordsFor(sale) {
  if (sale.state === "scheduled") return text("starts_in");
  if (sale.state !== "open") return text(sale.state);
  return text(sale.ends_at === null ? "no_end" : "ends_in");
}

function remaining(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value) => String(value).padStart(2, "0");
  const [days, rest] = [Math.floor(seconds / 86_400), seconds % 86_400];
  const clock = [rest / 3600, (rest % 3600) / 60, rest % 60].map((part) => two(Math.floor(part)));
  return text("days", days) + clock.join(":");
}

element("language").addEventListener("click", () => {
  switchLanguage();
  translate();
  draw();
});

translate();
listenToAccount(say);
showAccount().catch(() => say(text("unreachable")));
refresh();
setInterval(tick, 250);
setInterval(refresh, REFRESH_MS);
setInterval(() => synchroniseClock().catch(() => {}), RESYNCHRONISE_MS);
// A page that was asleep shows old figures; ask at once when somebody looks at it again.
document.addEventListener("visibilitychange", () => document.hidden || refresh());
