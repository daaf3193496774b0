// What each generated client is asked to do, step by step, and what it says about it at the end.

export interface Credentials {
  phone: string;
  password: string;
}

export interface Errand {
  url: string;
  operator: Credentials;
  buyer: Credentials;
  sale: string; // to buy in
  guarded: string; // a running sale whose end is to be moved
  ends_at: string;
  item: string; // to be renamed
}

export interface Report {
  role: string;
  pass: string;
  state: string;
  order_state: string;
  ends_at: string | null;
  title: string;
}

/** A client with somebody's token: the calls of the errand, as its generator makes them. */
export interface Caller {
  showSession(): Promise<{ user: { role: string } }>;
  createPass(sale: string): Promise<{ pass: string }>;
  buy(sale: string, pass: string): Promise<{ state: string; order_id?: string }>;
  showOrder(order: string): Promise<{ state: string }>;
  editSale(sale: string, edit: { ends_at: string }): Promise<{ ends_at: string | null }>;
  editItem(item: string, edit: { title: string }): Promise<{ title: string }>;
}

export type LogIn = (url: string, who: Credentials) => Promise<Caller>;

/** The errand comes on standard input, so that no password is on a command line. */
export async function run(logIn: LogIn): Promise<void> {
  let text = "";
  for await (const piece of process.stdin) text += piece;
  console.log(JSON.stringify(await buyAndEdit(logIn, JSON.parse(text) as Errand)));
}

async function buyAndEdit(logIn: LogIn, given: Errand): Promise<Report> {
  const buyer = await logIn(given.url, given.buyer);
  const session = await buyer.showSession();
  const { pass } = await buyer.createPass(given.sale);
  const purchase = await buyer.buy(given.sale, pass);
  if (!purchase.order_id) throw new Error("queued, though this server has no queue");
  const order = await buyer.showOrder(purchase.order_id);

  const operator = await logIn(given.url, given.operator);
  const edited = await operator.editSale(given.guarded, { ends_at: given.ends_at });
  const item = await operator.editItem(given.item, { title: "Renamed" });
  return {
    role: session.user.role,
    pass,
    state: purchase.state,
    order_state: order.state,
    ends_at: edited.ends_at,
    title: item.title,
  };
}
