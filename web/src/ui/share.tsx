// Shares a sale's address: by the device's own dialog, by copying it, or as a QR code.

import { useRef, useState } from "preact/hooks";

import { saveFile } from "../base/save_file";
import { Icon } from "./icon";
import { useOwnId } from "./parts";
import { say } from "./say";
import { noAnswer, text } from "./texts";

type Props = { title: string; path: string };

export function Share({ title, path }: Props) {
  const address = new URL(path, location.origin).href;
  return (
    <div class="row share not-printed">
      {typeof navigator.share === "function" ? (
        <button
          class="button quiet small"
          type="button"
          onClick={() => {
            // Closing the dialog means that the visitor has changed their mind.
            navigator.share({ title, url: address }).catch(() => {});
          }}
        >
          <Icon name="share" />
          {text("share")}
        </button>
      ) : (
        <CopyButton what={address} label={text("share")} done={text("share_copied")} />
      )}
      <QrButton title={title} address={address} />
    </div>
  );
}

type CopyProps = { what: string; label: string; done: string };

export function CopyButton({ what, label, done }: CopyProps) {
  const [copied, setCopied] = useState(false);

  async function act() {
    await copy(what);
    setCopied(true);
    say(done);
  }

  return (
    <button class="button quiet small" type="button" onClick={() => void act()}>
      <Icon name={copied ? "check" : "share"} />
      {copied ? done : label}
    </button>
  );
}

type Encoder = typeof import("./qr_code");

function QrButton({ title, address }: { title: string; address: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useOwnId();
  const [encoder, setEncoder] = useState<Encoder | null>(null);
  const [failed, setFailed] = useState(false);

  async function open() {
    dialog.current?.showModal();
    setFailed(false);
    try {
      setEncoder(await import("./qr_code"));
    } catch {
      setFailed(true);
    }
  }

  return (
    <>
      <button class="button quiet small" type="button" onClick={() => void open()}>
        <Icon name="qr" />
        {text("qr")}
      </button>
      <dialog ref={dialog} aria-labelledby={heading}>
        <div class="stack qr">
          <h2 id={heading}>{title}</h2>
          <p class="faint">{text("qr_more")}</p>
          {failed && <p role="alert">{noAnswer()}</p>}
          {!failed && !encoder && <div class="qr-code skeleton" aria-hidden="true" />}
          {encoder && <Picture encoder={encoder} address={address} />}
          <p class="small qr-address">{address}</p>
          <div class="row">
            <CopyButton what={address} label={text("copy_link")} done={text("share_copied")} />
            {encoder && (
              <button
                class="button quiet small"
                type="button"
                onClick={() => saveFile("qr.svg", "image/svg+xml", [encoder.qrPicture(address)])}
              >
                {text("qr_save")}
              </button>
            )}
            <button class="button small" type="button" onClick={() => dialog.current?.close()}>
              {text("close")}
            </button>
          </div>
        </div>
      </dialog>
    </>
  );
}

function Picture({ encoder, address }: { encoder: Encoder; address: string }) {
  const { size, path } = encoder.qrCode(address);
  return (
    <svg class="qr-code" role="img" aria-label={text("qr")} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} />
    </svg>
  );
}

async function copy(words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(words);
  } catch {
    copyBySelection(words); // a shop on plain HTTP has no clipboard of the newer kind
  }
}

// While a dialog is open, nothing outside of it can be selected.
function copyBySelection(words: string): void {
  const field = document.createElement("textarea");
  field.value = words;
  field.className = "visually-hidden";
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
