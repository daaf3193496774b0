// Sends a request again until there is an answer to it. Only for requests that may be repeated.

import { onNetworkChange, isOnline } from "./online";
import { isAway, waitAfter } from "./retry";

type Persistence = {
  // Called before each wait.
  waits: () => void;
  // Asked before each repetition.
  wanted: () => boolean;
};

// Throws the first answer that is an error, or the last failure when the request is not wanted any
// more.
export async function untilAnswered<Answer>(
  ask: () => Promise<Answer>,
  { waits, wanted }: Persistence,
): Promise<Answer> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask();
    } catch (failure) {
      if (!isAway(failure) || !wanted()) throw failure;
      waits();
      await pause(waitAfter(failure, failures));
      if (!wanted()) throw failure;
    }
  }
}

// Ends at once when the network comes back.
function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    const over = () => {
      clearTimeout(timer);
      stop();
      done();
    };
    const timer = setTimeout(over, milliseconds);
    const stop = onNetworkChange(() => isOnline() && over());
  });
}
