// What an operator should know although the sale goes on.

import { Notice } from "../ui/parts";
import { noticeText } from "./notice_text";
import { hasWords, named, words } from "./texts";
import type { Readiness, Stats } from "./types";

type Props = { stats: Stats | null; ready: Readiness | null };

export function Warnings({ stats, ready }: Props) {
  return (
    <div class="warnings" role="status">
      {warningsOf(stats, ready).map(({ title, detail }) => (
        <Notice key={title} tone="warn" title={title}>
          {detail}
        </Notice>
      ))}
    </div>
  );
}

export type Warning = { title: string; detail: string };

// A part that is ready but has a complaint causes a warning. Of the hot copy only problems are
// shown. A server without such data causes no warning.
export function warningsOf(stats: Stats | null, ready: Readiness | null): Warning[] {
  const parts = ready?.parts.filter((part) => part.ready && part.detail !== "") ?? [];
  const { hot_copy: hot } = (stats ?? {}) as { hot_copy?: { state: string } };
  const key = `warn_hot_${hot?.state}`;
  return [
    ...parts.map((part) => ({ title: titleOf(part.name), detail: noticeText(part) })),
    ...(hasWords(key) ? [{ title: words(key), detail: words("warn_hot_more") }] : []),
  ];
}

function titleOf(part: string): string {
  const key = `warn_${part}`;
  return hasWords(key) ? words(key) : named("component", part);
}
