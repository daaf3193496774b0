// The one stream of the page.

import { Stream } from "./stream";

export const stream = new Stream(() => {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(`${scheme}//${location.host}/api/v1/stream`);
});
