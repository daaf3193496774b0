import { Problem } from "./api";
import { freshKey } from "./fresh_key";

// The Idempotency-Key of a deed: the same one until the server has answered, so that a lost reply
// may be asked for again, and another one after that, since what follows is another deed.
export class DeedKey {
  #key = freshKey();

  async use<Answer>(deed: (key: string) => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await deed(this.#key);
      this.#key = freshKey();
      return answer;
    } catch (failure) {
      if (isAnswer(failure)) this.#key = freshKey();
      throw failure;
    }
  }
}

function isAnswer(failure: unknown): boolean {
  if (!(failure instanceof Problem)) return false;
  return failure.status < 500;
}
