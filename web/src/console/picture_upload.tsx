// Where pictures are dropped or chosen. They are sent one after the other, and each one that has
// arrived is told by `add`.

import { useRef, useState } from "preact/hooks";

import { Away, Problem } from "../base/api";
import { sessionEnded } from "../base/session";
import { Icon } from "../ui/icon";
import { words } from "./texts";
import { pictureTypes, troubleOf, uploadPicture, wrongFile } from "./upload";

type Sending = { id: number; name: string; share: number; trouble: string | null };

let lastId = 0;

export function PictureUpload({ add }: { add: (url: string) => void }) {
  const { sendings, take } = useSendings(add);
  const [over, setOver] = useState(false);
  return (
    <div
      class={`drop-zone${over ? " over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      <label class="button quiet">
        <Icon name="box" />
        {words("upload_choose")}
        <input
          type="file"
          class="visually-hidden"
          accept={pictureTypes.join(",")}
          multiple
          onChange={(event) => {
            take(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
      </label>
      <p class="hint">{words("upload_hint")}</p>
      <ul class="sendings" aria-live="polite">
        {sendings.map((one) => (
          <Row key={one.id} sending={one} />
        ))}
      </ul>
    </div>
  );
}

function useSendings(add: (url: string) => void) {
  const [sendings, setSendings] = useState<Sending[]>([]);
  const queue = useRef(Promise.resolve());

  // null: it has arrived.
  function change(id: number, changed: Partial<Sending> | null) {
    const changedOne = (one: Sending) => (changed === null ? [] : [{ ...one, ...changed }]);
    setSendings((before) => before.flatMap((one) => (one.id === id ? changedOne(one) : [one])));
  }

  async function send(id: number, file: File) {
    try {
      add((await uploadPicture(file, (share) => change(id, { share }))).url);
      change(id, null);
    } catch (failure) {
      if (!(failure instanceof Away || failure instanceof Problem)) throw failure;
      if (failure instanceof Problem && failure.code === "unauthenticated") sessionEnded();
      change(id, { trouble: troubleOf(failure) });
    }
  }

  // What went wrong before is forgotten.
  function take(files: FileList | null | undefined) {
    const taken = [...(files ?? [])].map((file) => ({
      file,
      sending: { id: ++lastId, name: file.name, share: 0, trouble: wrongFile(file) },
    }));
    setSendings((before) => [
      ...before.filter(({ trouble }) => trouble === null),
      ...taken.map(({ sending }) => sending),
    ]);
    for (const { file, sending } of taken)
      if (sending.trouble === null)
        queue.current = queue.current.then(() => send(sending.id, file));
  }

  return { sendings, take };
}

function Row({ sending: { name, share, trouble } }: { sending: Sending }) {
  return (
    <li>
      <span class="name">{name}</span>
      {trouble === null ? (
        <progress value={share} max={1} aria-label={words("upload_progress", { name })}>
          {Math.round(100 * share)} %
        </progress>
      ) : (
        <span class="wrong" role="alert">
          {trouble}
        </span>
      )}
    </li>
  );
}
