import { useState } from "preact/hooks";

import type { ItemOfSale } from "../base/types";
import { Picture } from "./parts";
import { sourcesOf } from "./picture_sources";
import { text } from "./texts";

// All pictures of an item, one of them large.
export function Pictures({ item }: { item: Pick<ItemOfSale, "image_url" | "pictures"> }) {
  const all = [item.image_url, ...item.pictures].filter((url) => url !== "");
  const [chosen, setChosen] = useState(0);
  const shown = chosen < all.length ? chosen : 0;
  return (
    <>
      <Picture item={{ image_url: all[shown] ?? "" }} eager />
      {all.length > 1 && (
        <ul class="thumbnails" aria-label={text("pictures")}>
          {all.map((url, i) => (
            <li key={url}>
              <button
                type="button"
                aria-pressed={i === shown}
                aria-label={text("picture_number", { n: i + 1, of: all.length })}
                onClick={() => setChosen(i)}
              >
                <img
                  {...sourcesOf(url, "6rem")}
                  src={url}
                  alt=""
                  width="96"
                  height="72"
                  loading="lazy"
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
