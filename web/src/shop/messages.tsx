// What the built-in sender would have sent to phones. Only where the server says that it is used.

import { useEffect, useState } from "preact/hooks";

import { look } from "../base/api";
import { rowTime } from "../base/format";
import { askAgain } from "../base/retry";
import type { SandboxMessage } from "../base/types";
import { mount, Page } from "../ui/page";
import { Empty, Skeleton } from "../ui/parts";
import { text } from "../ui/texts";

const againMilliseconds = 2000;

function Messages() {
  const [messages, setMessages] = useState<SandboxMessage[] | null>(null);
  const [away, setAway] = useState(false);
  useEffect(() => {
    const poller = askAgain(
      async () => {
        const response = await look("/sandbox/messages");
        const known = response.ok
          ? ((await response.json()) as { messages: SandboxMessage[] })
          : null;
        setMessages(known?.messages ?? []);
        setAway(false);
        return againMilliseconds;
      },
      () => setAway(true),
    );
    return poller.stop;
  }, []);
  return (
    <Page title={text("messages_title")} away={away}>
      <div class="account-page">
        <header>
          <h1>{text("messages_title")}</h1>
          <p class="faint">{text("messages_lead")}</p>
        </header>
        {!messages && <Skeleton height="8rem" />}
        {messages?.length === 0 && <Empty icon="box" title={text("messages_none")} />}
        {messages && messages.length > 0 && (
          <ul class="messages">
            {messages.map(({ phone, text: words, at }) => (
              <li key={phone + at + words} class="panel">
                <p class="small faint figures">
                  {phone} · {rowTime(at)}
                </p>
                <p>{words}</p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Page>
  );
}

mount(Messages);
