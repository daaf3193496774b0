import { useEffect, useState } from "preact/hooks";

import { clock } from "../base/server_time";
import { ticking, untilNextSecond } from "../base/ticks";

// The server's time, renewed at each of its seconds; null until it is known.
export function useNow(): number | null {
  const [now, setNow] = useState(clock.now());
  useEffect(() => ticking(untilNextSecond, setNow), []);
  return now;
}
