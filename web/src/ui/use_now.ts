import { useEffect, useState } from "preact/hooks";

import { clock } from "../base/server_time";

// The server's time, renewed at each of its seconds; null until it is known.
export function useNow(): number | null {
  const [now, setNow] = useState(clock.now());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const time = clock.now();
      setNow(time);
      timer = setTimeout(tick, time === null ? 50 : 1000 - (time % 1000) + 1);
    };
    tick();
    return () => clearTimeout(timer);
  }, []);
  return now;
}
