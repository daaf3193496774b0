// Who is alerted, whether that works, and the latest alerts.

import { useState } from "preact/hooks";

import { post } from "../base/api";
import { dateAndTime, number } from "../base/format";
import { mount } from "../ui/page";
import { Empty, Notice, Skeleton } from "../ui/parts";
import { say } from "../ui/say";
import { stateOf, toneOf } from "./alert_facts";
import { useAsked } from "./ask";
import { ConsolePage, Heading, NotHere, Table } from "./frame";
import { useSending } from "./send";
import { named, words } from "./texts";
import type { Alert, AlertChannel, Alerts, AlertTest } from "./types";

const pace = 5000;

function AlertsPage() {
  const alerts = useAsked<Alerts>("/admin/alerts", pace);
  const [result, setResult] = useState<AlertTest | null>(null);
  function tested(outcome: AlertTest) {
    setResult(outcome);
    alerts.refresh();
  }
  return (
    <ConsolePage title={words("place_alerts")} away={alerts.away}>
      <Heading title={words("place_alerts")} lead={words("alerts_lead")} />
      {alerts.missing && <NotHere what={words("place_alerts")} />}
      {!alerts.missing && !alerts.value && <Skeleton height="20rem" />}
      {alerts.value && (
        <div class="stack">
          {!alerts.value.on_duty && (
            <Notice title={words("alerts_off_duty")}>
              <p>{words("alerts_off_duty_more")}</p>
            </Notice>
          )}
          <div role="status">{result && <Result {...result} />}</div>
          <Channels channels={alerts.value.channels} tested={tested} />
          <Latest alerts={alerts.value.alerts} quiet={alerts.value.quiet_minutes} />
        </div>
      )}
    </ConsolePage>
  );
}

function Result({ channel, sent, reason }: AlertTest) {
  const name = named("channel", channel);
  if (sent) return <Notice tone="good" title={words("alert_test_sent", { channel: name })} />;
  return (
    <Notice tone="bad" title={words("alert_test_failed", { channel: name })}>
      <p class="breakable">{reason}</p>
    </Notice>
  );
}

type Tested = (outcome: AlertTest) => void;

function Channels({ channels, tested }: { channels: AlertChannel[]; tested: Tested }) {
  if (channels.length === 0)
    return (
      <Empty icon="info" title={words("channels_none")}>
        <p>{words("channels_none_more")}</p>
      </Empty>
    );
  return (
    <Table
      label={words("channels")}
      heads={[
        words("head_channel"),
        words("head_state"),
        words("head_last_told"),
        words("head_last_failure"),
        `>${words("head_told")}`,
        words("head_actions"),
      ]}
    >
      {channels.map((channel) => (
        <Channel key={channel.name} channel={channel} tested={tested} />
      ))}
    </Table>
  );
}

function Channel({ channel, tested }: { channel: AlertChannel; tested: Tested }) {
  const { name, to, waiting, sent, failed, last_sent_at, last_failure } = channel;
  const { working, trouble, send } = useSending();
  const state = stateOf(channel);
  const test = () =>
    send(async () => {
      const outcome = await post<AlertTest>(`/admin/alerts/${name}/test`);
      const key = outcome.sent ? "alert_test_sent" : "alert_test_failed";
      say(words(key, { channel: named("channel", name) }));
      tested(outcome);
    });
  return (
    <tr>
      <td class="main-cell">
        {named("channel", name)}
        <div class="small faint breakable">{to}</div>
      </td>
      <td>
        <span class={`badge channel-${state}`}>{words(`channel_is_${state}`)}</span>
        {waiting > 0 && (
          <div class="small faint">{words("alerts_waiting", { n: number(waiting) })}</div>
        )}
      </td>
      <td class="small faint nowrap">{last_sent_at ? dateAndTime(last_sent_at) : "–"}</td>
      <td class="small">
        {last_failure ? (
          <>
            <span class="faint nowrap">{dateAndTime(last_failure.at)}</span>
            <div class="breakable">{last_failure.reason}</div>
          </>
        ) : (
          "–"
        )}
      </td>
      <td class="right figures">
        {number(sent)}
        {failed > 0 && (
          <div class="small warn-text">{words("alerts_failed", { n: number(failed) })}</div>
        )}
      </td>
      <td>
        <button
          class="button quiet small"
          type="button"
          disabled={working}
          aria-label={words("alert_test_of", { channel: named("channel", name) })}
          onClick={() => void test()}
        >
          {words("alert_test")}
        </button>
        {trouble && <p class="wrong">{trouble}</p>}
      </td>
    </tr>
  );
}

function Latest({ alerts, quiet }: { alerts: Alert[]; quiet: number }) {
  return (
    <section class="console-section">
      <h2>{words("alerts_latest")}</h2>
      <p class="faint">{words("alerts_latest_more", { n: number(quiet) })}</p>
      {alerts.length === 0 && <Empty icon="check" title={words("alerts_none")} />}
      {alerts.length > 0 && (
        <Table
          label={words("alerts_latest")}
          heads={[words("head_when"), words("head_state"), words("head_alert")]}
        >
          {alerts.map((alert) => (
            <tr key={`${alert.at} ${alert.kind} ${alert.subject}`}>
              <td class="small faint nowrap">{dateAndTime(alert.at)}</td>
              <td>
                <span class={`badge alert-${toneOf(alert)}`}>
                  {words(`alert_phase_${alert.phase}`)}
                </span>
              </td>
              <td class="main-cell">
                {alert.kind === "sold_out" ? (
                  <a href={`/console/sale?id=${alert.subject}`}>{alert.headline}</a>
                ) : (
                  alert.headline
                )}
                <div class="small faint breakable">{alert.detail}</div>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

mount(AlertsPage);
