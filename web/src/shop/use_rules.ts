import { useEffect, useState } from "preact/hooks";

import { get } from "../base/api";
import type { AccountRules } from "../base/types";

// What this server asks of accounts; null until it has said so. A shop that does not answer is told of
// when the form is sent.
export function useRules(): AccountRules | null {
  const [rules, setRules] = useState<AccountRules | null>(null);
  useEffect(() => {
    get<AccountRules>("/account-rules").then(setRules, () => {});
  }, []);
  return rules;
}
