// What the page says, in the languages it speaks.

const texts = {
  en: {
    skip: "Skip to the sales",
    server_time: "Server time",
    other_language: "中文",
    running: "Running now",
    coming: "Coming up",
    none_running: "Nothing is on sale at the moment.",
    none_coming: "No sale is planned yet.",
    account: "Your account",
    hello: "Hello,",
    phone: "Phone",
    password: "Password (at least 8 characters)",
    log_in: "Log in",
    log_out: "Log out",
    register: "Register",
    ends_in: "Ends in",
    starts_in: "Starts in",
    no_end: "Open until further notice",
    paused: "Paused for a moment",
    sold_out: "Sold out",
    left: (left, total) => `${left} of ${total} left`,
    stock: (total) => `${total} units`,
    days: (days) => (days ? `${days} d ` : ""),
    welcome: (name) => `You are logged in as ${name}.`,
    registered: "You are registered.",
    logged_out: "You are logged out.",
    started: (title) => `The sale of ${title} has begun.`,
    unreachable: "The shop cannot be reached; trying again.",
    reachable: "The shop is back.",
  },
  zh: {
    skip: "跳到活动列表",
    server_time: "服务器时间",
    other_language: "English",
    running: "正在进行",
    coming: "即将开始",
    none_running: "目前没有进行中的活动。",
    none_coming: "暂无即将开始的活动。",
    account: "我的账户",
    hello: "您好，",
    phone: "手机号",
    password: "密码（至少 8 个字符）",
    log_in: "登录",
    log_out: "退出登录",
    register: "注册",
    ends_in: "距结束",
    starts_in: "距开始",
    no_end: "长期有效",
    paused: "暂停中",
    sold_out: "已售罄",
    left: (left, total) => `剩余 ${left} / ${total} 件`,
    stock: (total) => `共 ${total} 件`,
    days: (days) => (days ? `${days} 天 ` : ""),
    welcome: (name) => `已登录：${name}。`,
    registered: "注册成功。",
    logged_out: "已退出登录。",
    started: (title) => `${title} 开抢了。`,
    unreachable: "暂时无法连接商店，正在重试。",
    reachable: "已恢复连接。",
  },
};

// Storage can be forbidden by the browser; the choice then lasts as long as the page.
function stored() {
  try {
    return localStorage.getItem("language");
  } catch {
    return null;
  }
}

let language = stored() ?? (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");

export function currentLanguage() {
  return language;
}

export function switchLanguage() {
  language = language === "zh" ? "en" : "zh";
  try {
    localStorage.setItem("language", language);
  } catch {
    return;
  }
}

export function text(name, ...values) {
  const entry = texts[language][name];
  return typeof entry === "function" ? entry(...values) : entry;
}

export function money(cents, currency) {
  const format = new Intl.NumberFormat(language, {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  });
  return format.format(cents / 10 ** format.resolvedOptions().maximumFractionDigits);
}
