// Tells visitors for whom the sale is, and whether that includes them.

import { listedOnly, standingOf } from "../base/audience";
import { openingTime } from "../base/format";
import type { Sale } from "../base/types";
import { Countdown, Notice } from "../ui/parts";
import { text } from "../ui/texts";
import { useNow } from "../ui/use_now";

type Props = { sale: Sale; loggedIn: boolean; listing: boolean | null };

export function AudienceNotice({ sale, loggedIn, listing }: Props) {
  const now = useNow();
  if (!listedOnly(sale, now)) return null;
  const standing = standingOf(loggedIn, listing);
  const first = sale.audience === "listed_first";
  const of = first ? "first" : "only";
  const time = openingTime(sale.listed_until ?? 0, Date.now());
  const tone = standing === "listed" ? "good" : standing === "not_listed" ? "warn" : "plain";
  return (
    <Notice
      tone={tone}
      icon={tone === "good" ? "check" : tone === "warn" ? "info" : "shield"}
      title={titleOf(standing, of)}
    >
      <p>{text(`listed_${of}_${standing}`, { time })}</p>
      {first && (
        <p class="small">
          {text("opens_to_all_in")} <Countdown to={Date.parse(sale.listed_until!)} />
        </p>
      )}
    </Notice>
  );
}

function titleOf(standing: ReturnType<typeof standingOf>, of: "first" | "only"): string {
  if (standing === "listed") return text("listed_you");
  return standing === "not_listed" ? text("listed_not_you") : text(`listed_${of}`);
}
