import { useEffect, useState } from "preact/hooks";

import { currentUser, mayOperate, onUserChange } from "../base/session";
import type { User } from "../base/types";

export function useUser(): User | null {
  const [user, setUser] = useState(currentUser);
  useEffect(() => onUserChange(() => setUser(currentUser())), []);
  return user;
}

// Whether buttons that change sales and items are shown.
export const useOperates = (): boolean => mayOperate(useUser());
