import { useState } from "preact/hooks";

import { Icon } from "./icon";
import { say } from "./say";
import { text } from "./texts";

// By the device's own way of sharing where it has one; else the address is copied.
export function Share({ title, path }: { title: string; path: string }) {
  const [copied, setCopied] = useState(false);
  const url = new URL(path, location.origin).href;

  async function share() {
    if (typeof navigator.share === "function") {
      await navigator.share({ title, url }).catch(() => {}); // whoever closes it has changed their mind
      return;
    }
    await copy(url);
    setCopied(true);
    say(text("share_copied"));
  }

  return (
    <button class="button quiet small" type="button" onClick={() => void share()}>
      <Icon name={copied ? "check" : "share"} />
      {text(copied ? "share_copied" : "share")}
    </button>
  );
}

async function copy(words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(words);
  } catch {
    copyBySelection(words); // a shop on plain HTTP has no clipboard of the newer kind
  }
}

function copyBySelection(words: string): void {
  const field = document.createElement("textarea");
  field.value = words;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
