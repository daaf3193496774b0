import { useEffect, useState } from "preact/hooks";

import { get } from "../base/api";
import type { AccountRules } from "../base/types";

// What this server requires of accounts; null until it has answered. A shop that does not answer is
// reported when the form is sent.
export function useRules(): AccountRules | null {
  const [rules, setRules] = useState<AccountRules | null>(null);
  useEffect(() => {
    get<AccountRules>("/account-rules").then(setRules, () => {});
  }, []);
  return rules;
}
