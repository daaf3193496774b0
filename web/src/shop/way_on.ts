// What logging in, registering and a forgotten password have in common: fields, and the way on.

import { safeReturn } from "../base/session";

const wanted = new URLSearchParams(location.search).get("to");

export const wayOn = () => safeReturn(wanted, location.origin);

// Another page of these, which must lead to the same place in the end.
export const beside = (page: string) =>
  wanted ? `${page}?to=${encodeURIComponent(wanted)}` : page;
