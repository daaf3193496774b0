// Something that is polled, and sent by the stream while that is open. There is one source at a
// time: while the stream is open, polling is rare and only finds what the stream may have lost; an
// answer that was asked for before the latest news is dropped.

import { useEffect, useRef, useState } from "preact/hooks";

import { get, Problem } from "../base/api";
import type { Poller } from "../base/poll";
import { askAgain, isAway, missingMilliseconds } from "../base/retry";
import { sessionEnded } from "../base/session";

const streamedMilliseconds = 30_000;
const brokenMilliseconds = 2000;

export type Latest<Value> = {
  value: Value | null;
  away: boolean;
  missing: boolean;
  refresh: () => void;
  // A newer value from elsewhere.
  tell: (change: (before: Value) => Value) => void;
  // Whether the stream sends it now.
  streamed: (streaming: boolean) => void;
};

// An empty path: nothing is asked. `pace`: after how many milliseconds to ask again. `always`: even
// while the page is hidden.
export function useLatest<Value>(
  path: string,
  pace: (value: Value) => number,
  always = false,
): Latest<Value> {
  const poller = useRef<Poller | null>(null);
  const [value, setValue] = useState<Value | null>(null);
  const [away, setAway] = useState(false);
  const [missing, setMissing] = useState(false);
  const now = useRef({ always, streaming: false, news: 0 });
  now.current.always = always;

  useEffect(() => {
    setValue(null);
    setMissing(false);
    if (path === "") return;
    const ask = async () => {
      const { news } = now.current;
      const found = await get<Value>(path);
      if (news === now.current.news) setValue(found);
      setAway(false);
      setMissing(false);
      return now.current.streaming ? streamedMilliseconds : pace(found);
    };
    const failed = (failure: unknown) => {
      setAway(isAway(failure));
      const code = failure instanceof Problem ? failure.code : "";
      if (code === "unauthenticated") sessionEnded();
      if (code !== "not_found") return;
      setMissing(true);
      return missingMilliseconds;
    };
    poller.current = askAgain(ask, failed, () => now.current.always);
    return poller.current.stop;
  }, [path]);

  function tell(change: (before: Value) => Value) {
    now.current.news++;
    setValue((before) => before && change(before));
  }

  function streamed(streaming: boolean) {
    if (now.current.streaming === streaming) return;
    now.current.streaming = streaming;
    if (streaming) poller.current?.now();
    else poller.current?.soon(brokenMilliseconds);
  }

  return { value, away, missing, refresh: () => poller.current?.now(), tell, streamed };
}
