// What each generated client is asked to do, and what it says about it at the end.

export interface Errand {
  url: string;
  operator: { phone: string; password: string };
  buyer: { phone: string; password: string };
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

/** The errand comes on standard input, so that no password is on a command line. */
export async function run(errand: (given: Errand) => Promise<Report>): Promise<void> {
  let text = "";
  for await (const piece of process.stdin) text += piece;
  console.log(JSON.stringify(await errand(JSON.parse(text) as Errand)));
}
