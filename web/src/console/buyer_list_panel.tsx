// The list of the buyers for whom a sale is meant: chosen, looked at, sent in pieces, downloaded and
// cleared.

import { useState } from "preact/hooks";

import { remove, upload } from "../base/api";
import { dateAndTime, number } from "../base/format";
import { Field, Notice, useOwnId } from "../ui/parts";
import { say } from "../ui/say";
import { useAsked } from "./ask";
import { type BuyerList, mostListed, piecesOf, readBuyerList } from "./buyer_list";
import { useSending } from "./send";
import { Sure } from "./sure";
import { words } from "./texts";
import type { BuyerListShown } from "./types";

const once = 3_600_000;

type Told = (done: number, all: number) => void;

// The first piece replaces or extends the list, the others extend it. What has arrived stays if a
// later piece does not.
export async function sendList(sale: string, list: BuyerList, replace: boolean, tell: Told) {
  const path = `/admin/sales/${sale}/list`;
  const pieces = piecesOf(list);
  tell(0, pieces.length);
  for (const [index, piece] of pieces.entries()) {
    await upload(replace && index === 0 ? "PUT" : "POST", path, piece);
    tell(index + 1, pieces.length);
  }
}

type FileProps = {
  list: BuyerList | null;
  choose: (list: BuyerList | null) => void;
  hint?: string;
  wrong?: string | undefined;
};

// A file, and what is in it.
export function ListFile({ list, choose, hint, wrong }: FileProps) {
  const [reading, setReading] = useState(false);

  async function read(file: File | undefined) {
    setReading(true);
    choose(file ? readBuyerList(await file.text()) : null);
    setReading(false);
  }

  return (
    <>
      <Field
        name="list"
        label={words("list_file")}
        hint={hint ?? words("list_file_hint")}
        wrong={wrong}
      >
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            disabled={reading}
            onChange={(event) => void read(event.currentTarget.files?.[0])}
          />
        )}
      </Field>
      <div role="status">{list && <Found list={list} />}</div>
    </>
  );
}

export const isUsable = (list: BuyerList | null): list is BuyerList =>
  list !== null && list.wrong.length === 0 && list.entries.length > 0;

function Found({ list }: { list: BuyerList }) {
  const { phones, ids, entries, wrong } = list;
  if (wrong.length > 0) {
    return (
      <Notice tone="bad" title={words("list_wrong", { n: wrong.length })}>
        <ul>
          {wrong.map(({ line, mistake }) => (
            <li key={line}>
              {words("list_line", { line })} {words(`list_wrong_${mistake}`)}
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  if (entries.length === 0) return <Notice tone="bad" title={words("list_file_empty")} />;
  if (entries.length > mostListed)
    return <Notice tone="bad" title={words("list_too_long", { most: number(mostListed) })} />;
  return (
    <Notice tone="good" title={words("list_found", { n: number(entries.length) })}>
      {words("list_kinds", { phones: number(phones), ids: number(ids) })}
    </Notice>
  );
}

// Of a sale that is there.
export function BuyerListPanel({ sale }: { sale: string }) {
  const shown = useAsked<BuyerListShown>(`/admin/sales/${sale}/list`, once);
  const [list, choose] = useState<BuyerList | null>(null);
  const [files, setFiles] = useState(0); // each with a fresh field
  const [sent, setSent] = useState<[number, number] | null>(null);
  const { working, trouble, send } = useSending();
  const heading = useOwnId();
  const counts = shown.value;

  async function put(replace: boolean) {
    if (!isUsable(list)) return;
    const went = await send(() =>
      sendList(sale, list, replace, (done, all) => setSent([done, all])),
    );
    shown.refresh();
    setSent(null);
    if (!went) return;
    choose(null);
    setFiles(files + 1);
    say(words("list_sent"));
  }

  return (
    <section class="panel stack buyer-list" aria-labelledby={heading}>
      <h2 id={heading}>{words("list")}</h2>
      {counts && (
        <p>
          {words(counts.listed === 0 ? "list_empty" : "list_has", { n: number(counts.listed) })}
          {counts.changed_at && (
            <span class="small faint"> · {dateAndTime(counts.changed_at)}</span>
          )}
        </p>
      )}
      <div role="alert">{trouble && <Notice tone="bad" title={trouble} />}</div>
      <ListFile key={files} list={list} choose={choose} />
      {sent && <Progress done={sent[0]} all={sent[1]} />}
      <div class="row">
        <button
          class="button quiet"
          type="button"
          disabled={working || !isUsable(list)}
          onClick={() => void put(true)}
        >
          {words("list_replace")}
        </button>
        <button
          class="button quiet"
          type="button"
          disabled={working || !isUsable(list) || !counts?.listed}
          onClick={() => void put(false)}
        >
          {words("list_extend")}
        </button>
        {counts && counts.listed > 0 && (
          <a class="button quiet" href={`/api/v1/admin/sales/${sale}/list.csv`} download>
            {words("list_download")}
          </a>
        )}
      </div>
      {counts && counts.listed > 0 && <Clear sale={sale} refresh={shown.refresh} />}
    </section>
  );
}

function Clear({ sale, refresh }: { sale: string; refresh: () => void }) {
  return (
    <div>
      <Sure
        look="button quiet danger small"
        label={words("list_clear")}
        title={words("list_clear_sure")}
        more={words("list_clear_sure_more")}
        yes={words("list_clear")}
        hot
        act={() => remove(`/admin/sales/${sale}/list`).then(refresh)}
      />
    </div>
  );
}

export function Progress({ done, all }: { done: number; all: number }) {
  const label = words("list_sending", { percent: Math.round((100 * done) / all) });
  return (
    <label class="stack">
      <span class="small">{label}</span>
      <progress value={done} max={all} />
    </label>
  );
}
