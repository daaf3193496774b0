import { useEffect, useRef, useState } from "preact/hooks";

import { stream } from "../base/server_stream";
import type { StreamState } from "../base/stream";
import type { News } from "../base/types";

// Follows the stream for this buyer while it is wanted, with news of the sale if one is named.
export function useStream(
  buyer: string | undefined,
  wanted: boolean,
  sale: string | null,
  heard: (news: News) => void,
): StreamState {
  const [state, setState] = useState<StreamState>("closed");
  const latest = useRef(heard);
  latest.current = heard;
  useEffect(() => (sale === null ? undefined : stream.watch(sale)), [sale]);
  useEffect(() => {
    // It is the buyer's own; a visitor without a session gets none.
    if (!buyer || !wanted) return;
    const stop = stream.follow({ heard: (news) => latest.current(news), turned: setState });
    return () => {
      stop();
      setState("closed");
    };
  }, [buyer, wanted]);
  return state;
}
