import { useEffect, useState } from "preact/hooks";

import { isOnline, onNetworkChange } from "../base/online";

export function useOnline(): boolean {
  const [online, setOnline] = useState(isOnline);
  useEffect(() => onNetworkChange(() => setOnline(isOnline())), []);
  return online;
}
