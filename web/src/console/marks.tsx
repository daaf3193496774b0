// The deeds on a sale's chart in words, by the numbers that they have there.

import { dateAndTime, number, timeOfDay } from "../base/format";
import { text } from "../ui/texts";
import type { Change, Mark } from "./deeds";
import { limitName } from "./limit_name";
import { hasWords, words, type WordsKey } from "./texts";

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

const fieldWords: Record<string, WordsKey> = {
  limit_per_buyer: "field_limit",
  hold_seconds: "field_hold",
  starts_at: "starts",
  ends_at: "ends",
  gate_factor: "field_gate",
  challenge_bits: "field_bits",
  price_cents: "head_price",
  kind: "field_kind",
};

function changeText({ field, before, after }: Change): string {
  const said = (value: unknown) => valueText(field, value);
  return `${fieldName(field)} ${said(before)} → ${said(after)}`;
}

function fieldName(field: string): string {
  if (field === "challenge") return text("fact_challenge");
  const key = fieldWords[field];
  return key ? words(key) : limitName(field);
}

function valueText(field: string, value: unknown): string {
  if (value === null || value === undefined) return field === "ends_at" ? words("no_end") : "–";
  if (field.endsWith("_at")) return dateAndTime(String(value));
  if (field === "challenge" && (value === "none" || value === "math" || value === "pow"))
    return text(`challenge_${value}`);
  const kind = `kind_${value as string}`;
  if (field === "kind" && hasWords(kind)) return words(kind);
  return typeof value === "number" ? number(value) : String(value);
}
