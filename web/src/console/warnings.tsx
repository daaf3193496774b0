// What an operator should know although the sale goes on.

import { Notice } from "../ui/parts";
import { useAsked } from "./ask";
import { readiness } from "./readiness";
import { hasWords, named, words } from "./texts";
import type { Readiness, Stats } from "./types";

const readyMilliseconds = 10_000;

export function Warnings({ stats }: { stats: Stats | null }) {
  const { value } = useAsked("/readyz", readyMilliseconds, readiness);
  return (
    <div class="warnings" role="status">
      {warningsOf(stats, value).map(({ title, detail }) => (
        <Notice key={title} tone="warn" title={title}>
          {detail}
        </Notice>
      ))}
    </div>
  );
}

export type Warning = { title: string; detail: string };

// A part that is ready and has something to say warns. Of the hot copy only what is not as it should
// be is told. A server that has neither warns of neither.
export function warningsOf(stats: Stats | null, ready: Readiness | null): Warning[] {
  const parts = ready?.parts.filter((part) => part.ready && part.detail !== "") ?? [];
  const { hot_copy: hot } = (stats ?? {}) as { hot_copy?: { state: string } };
  const key = `warn_hot_${hot?.state}`;
  return [
    ...parts.map(({ name, detail }) => ({ title: titleOf(name), detail })),
    ...(hasWords(key) ? [{ title: words(key), detail: words("warn_hot_more") }] : []),
  ];
}

function titleOf(part: string): string {
  const key = `warn_${part}`;
  return hasWords(key) ? words(key) : named("component", part);
}
