import { Problem } from "./api";
import { freshKey } from "./fresh_key";

// The Idempotency-Key of an operator's action: the same key until the server has answered, so that
// a lost reply can be asked for again; after that a new key, since the next press is another
// action.
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
