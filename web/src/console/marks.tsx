// The deeds on a sale's chart in words, by the numbers that they have there.

import { timeOfDay } from "../base/format";
import type { Change, Mark } from "./deeds";
import { fieldName, valueText } from "./field_words";
import { words } from "./texts";

type Props = { marks: Mark[]; choose: (mark: Mark) => void };

export function Marks({ marks, choose }: Props) {
  if (marks.length === 0) return null;
  return (
    <ol class="marks small" aria-label={words("marks")}>
      {marks.map((mark, i) => (
        <li key={mark.id}>
          <button type="button" title={words("mark_zoom")} onClick={() => choose(mark)}>
            <span class="mark-number figures" aria-hidden="true">
              {i + 1}
            </span>
            <span class="figures">{timeOfDay(mark.at)}</span> {markText(mark)}
          </button>
        </li>
      ))}
    </ol>
  );
}

export function markText({ kind, units = 0, changes = [] }: Mark): string {
  if (kind === "restock")
    return words(units < 0 ? "mark_taken_away" : "mark_restock", { n: Math.abs(units) });
  if (changes.length > 0) return changes.map(changeText).join("; ");
  return words(`mark_${kind}`);
}

function changeText({ field, before, after }: Change): string {
  return `${fieldName(field)} ${valueText(field, before)} → ${valueText(field, after)}`;
}
