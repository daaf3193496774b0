// Whether the promises hold, and whether all parts work.

import { useEffect, useState } from "preact/hooks";

import { Skeleton } from "../ui/parts";
import { type Asked, useAsked } from "./ask";
import { noticeText } from "./notice_text";
import { named, words } from "./texts";
import type { Audit, Readiness } from "./types";

const auditMilliseconds = 6000; // with its spread and the trip well under what is still fresh
const freshMilliseconds = 10_000;

type Props = { saleId: string; ready: Asked<Readiness> };

export function Health({ saleId, ready }: Props) {
  return (
    <>
      <Invariants saleId={saleId} />
      <Parts {...ready} />
    </>
  );
}

function Invariants({ saleId }: { saleId: string }) {
  const { value, heardAt, missing } = useAsked<Audit>(
    `/admin/sales/${saleId}/audit`,
    auditMilliseconds,
  );
  const age = useAge(heardAt);
  const fresh = value !== null && age !== null && age <= freshMilliseconds;
  const light = missing || !fresh ? "unknown" : value.holds ? "good" : "bad";
  return (
    <section class="panel live-health">
      <h2>{words("invariants")}</h2>
      <p class={`light ${light}`} role="status">
        <span class="lamp" aria-hidden="true" />
        <strong>{words(`light_${light}`)}</strong>
      </p>
      <p class="small faint figures">
        {age === null
          ? words("never_checked")
          : words("checked_ago", { n: Math.floor(age / 1000) })}
      </p>
      {value && (
        <details open={!value.holds}>
          <summary>{words("checks_count", { n: value.checks.length })}</summary>
          <ul class="checks small">
            {value.checks.map((check) => (
              <li key={check.name} class={check.holds ? "good" : "bad"}>
                {named("check", check.name)}
                {!check.holds && <span class="faint"> {noticeText(check)}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function useAge(heardAt: number | null): number | null {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return heardAt === null ? null : Math.max(0, now - heardAt);
}

function Parts({ value, away }: Asked<Readiness>) {
  return (
    <section class="panel live-health">
      <h2>{words("parts")}</h2>
      {!value && !away && <Skeleton height="4rem" />}
      {away && <p class="faint">{words("parts_unknown")}</p>}
      {value && !away && (
        <ul class="checks">
          {value.parts.map((part) => (
            <li key={part.name} class={!part.ready ? "bad" : part.detail ? "warn" : "good"}>
              {named("component", part.name)}
              <span class="small faint">
                {" "}
                {noticeText(part) || words(part.ready ? "part_ready" : "part_not_ready")}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
