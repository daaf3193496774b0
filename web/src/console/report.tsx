// The result of a sale, beside an earlier one if the operator chooses; to print and to export.

import "./report.css";

import { useEffect, useMemo, useState } from "preact/hooks";

import { dateAndTime } from "../base/format";
import { fetchEverySale } from "../base/sales";
import { saveFile } from "../base/save_file";
import type { Sale } from "../base/types";
import { saleTitle } from "../base/titles";
import { Icon } from "../ui/icon";
import { mount, useSaleState } from "../ui/page";
import { Empty, Notice, Skeleton, StateBadge } from "../ui/parts";
import { noAnswer, text } from "../ui/texts";
import { useAsked } from "./ask";
import { Back, ConsolePage, Heading } from "./frame";
import { fetchReport, isUnknown } from "./report_data";
import type { Report } from "./report_figures";
import { sectionsOf, tableOf } from "./report_rows";
import { saleName } from "./sale_name";
import { words } from "./texts";

const asked = new URLSearchParams(location.search);
const saleId = asked.get("id") ?? "";
const salesMilliseconds = 600_000;

function ReportPage() {
  const [otherId, setOtherId] = useState(asked.get("with") ?? "");
  const own = useReport(saleId);
  const other = useReport(otherId);
  useEffect(() => {
    const beside = otherId && `&with=${encodeURIComponent(otherId)}`;
    history.replaceState(null, "", `?id=${encodeURIComponent(saleId)}${beside}`);
  }, [otherId]);
  if (own.trouble === "missing") return <Missing />;
  return (
    <ConsolePage title={words("report")}>
      <Back to={`/console/sale?id=${encodeURIComponent(saleId)}`} label={words("live")} />
      {own.trouble === "away" && <Again retry={own.retry} />}
      {!own.report && !own.trouble && <Skeleton height="30rem" />}
      {own.report && (
        <Shown
          reports={other.report ? [own.report, other.report] : [own.report]}
          otherId={otherId}
          choose={setOtherId}
        />
      )}
      {other.trouble === "away" && <Again retry={other.retry} />}
    </ConsolePage>
  );
}

type Fetched = {
  report: Report | null;
  trouble: "missing" | "away" | null;
  retry: () => void;
};

function useReport(id: string): Fetched {
  const [found, setFound] = useState<Omit<Fetched, "retry"> & { id: string }>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (!id) return;
    let wanted = true;
    fetchReport(id).then(
      (report) => wanted && setFound({ id, report, trouble: null }),
      (failure) =>
        wanted && setFound({ id, report: null, trouble: isUnknown(failure) ? "missing" : "away" }),
    );
    return () => void (wanted = false);
  }, [id, tries]);
  const now =
    found?.id === id ? found : { report: null, trouble: id ? null : ("missing" as const) };
  return { report: now.report, trouble: now.trouble, retry: () => setTries(tries + 1) };
}

type ShownProps = { reports: Report[]; otherId: string; choose: (id: string) => void };

function Shown({ reports, otherId, choose }: ShownProps) {
  const own = reports[0]!;
  const state = useSaleState(own.sale);
  const sections = useMemo(() => sectionsOf(reports), [reports, document.documentElement.lang]);
  return (
    <article class="report">
      <Heading title={words("report_of", { name: saleTitle(own.sale) })}>
        <button class="button quiet not-printed" type="button" onClick={() => print()}>
          <Icon name="printer" />
          {words("report_print")}
        </button>
        <button class="button quiet not-printed" type="button" onClick={() => save(reports)}>
          {words("spreadsheet")}
        </button>
      </Heading>
      {(state !== "ended" || own.units.held > 0) && (
        <Notice tone="warn" title={words("report_early")}>
          {words("report_early_more")}
        </Notice>
      )}
      <Compare sale={own.sale} otherId={otherId} choose={choose} />
      <div class="table">
        <table class="report-table">
          <thead>
            <tr>
              <td />
              {reports.map(({ sale }) => (
                <th key={sale.id} scope="col">
                  <a href={`/console/sale?id=${sale.id}`}>{saleTitle(sale)}</a>
                  <StateBadge state={sale.state} />
                </th>
              ))}
            </tr>
          </thead>
          {sections.map(({ name, rows }) => (
            <tbody key={name}>
              <tr class="report-section">
                <th scope="rowgroup" colSpan={reports.length + 1}>
                  {name}
                </th>
              </tr>
              {rows.length === 0 && (
                <tr>
                  <td class="faint" colSpan={reports.length + 1}>
                    {words("refusals_none")}
                  </td>
                </tr>
              )}
              {rows.map((row) => (
                <tr key={row.name}>
                  <th scope="row">{row.name}</th>
                  {row.figures.map(({ shown }, i) => (
                    <td key={i} class="figures">
                      {shown}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <p class="small faint">{words("report_note")}</p>
      <p class="only-printed small">{text("receipt_printed", { time: dateAndTime(Date.now()) })}</p>
    </article>
  );
}

function save(reports: Report[]): void {
  saveFile("report.csv", "text/csv;charset=utf-8", [tableOf(reports)]);
}

type CompareProps = { sale: Sale; otherId: string; choose: (id: string) => void };

function Compare({ sale, otherId, choose }: CompareProps) {
  const { value: sales } = useAsked("/sales", salesMilliseconds, fetchEverySale);
  const begun = Date.parse(sale.starts_at);
  const earlier = (sales ?? [])
    .filter(({ id, starts_at }) => id !== sale.id && Date.parse(starts_at) <= begun)
    .sort((one, other) => Date.parse(other.starts_at) - Date.parse(one.starts_at));
  return (
    <div class="filters not-printed">
      <div class="field">
        <label for="compare">{words("report_compare")}</label>
        <select
          id="compare"
          value={otherId}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">{words("report_alone")}</option>
          {earlier.map((other) => (
            <option key={other.id} value={other.id}>
              {saleName(other)}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

function Again({ retry }: { retry: () => void }) {
  return (
    <Notice tone="bad" title={noAnswer()}>
      <button class="button quiet small" type="button" onClick={retry}>
        {text("try_again")}
      </button>
    </Notice>
  );
}

function Missing() {
  return (
    <ConsolePage title={words("sale_missing")}>
      <Empty icon="box" title={words("sale_missing")} alone>
        <a class="button" href="/console/">
          {words("place_sales")}
        </a>
      </Empty>
    </ConsolePage>
  );
}

mount(ReportPage);
