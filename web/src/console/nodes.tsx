// The servers that work together, and the state of what they share.

import "./live.css";

import { dateAndTime, number, preciseTime } from "../base/format";
import { mount } from "../ui/page";
import { Notice, Skeleton } from "../ui/parts";
import { type Asked, useAsked } from "./ask";
import { ConsolePage, Heading, NotHere, Table } from "./frame";
import { clockDiffers, driftOf, running, toneOfDrift, versionsDiffer } from "./node_facts";
import { noticeText } from "./notice_text";
import { readiness } from "./readiness";
import { named, words } from "./texts";
import type { Node, Nodes, Readiness } from "./types";

const nodesMilliseconds = 4000; // a node gives a sign every three seconds
const readyMilliseconds = 10_000;

function NodesPage() {
  const nodes = useAsked<Nodes>("/admin/nodes", nodesMilliseconds);
  const ready = useAsked("/readyz", readyMilliseconds, readiness);
  return (
    <ConsolePage title={words("place_nodes")} away={nodes.away}>
      <Heading title={words("place_nodes")} lead={words("nodes_lead")} />
      {nodes.missing && <NotHere what={words("place_nodes")} />}
      {!nodes.missing && !nodes.value && <Skeleton height="20rem" />}
      {nodes.value && (
        <div class="stack">
          <Warnings {...nodes.value} />
          <List nodes={nodes.value.nodes} />
          <Shared nodes={nodes.value.nodes} ready={ready} />
        </div>
      )}
    </ConsolePage>
  );
}

function Warnings({ nodes, complete }: Nodes) {
  return (
    <>
      {!complete && (
        <Notice tone="warn" title={words("nodes_incomplete")}>
          {words("nodes_incomplete_more")}
        </Notice>
      )}
      {versionsDiffer(nodes) && (
        <Notice tone="warn" title={words("nodes_versions")}>
          {words("nodes_versions_more")}
        </Notice>
      )}
      {running(nodes).some(clockDiffers) && (
        <Notice tone="warn" title={words("nodes_clocks")}>
          {words("nodes_clocks_more")}
        </Notice>
      )}
    </>
  );
}

function List({ nodes }: { nodes: Node[] }) {
  return (
    <Table
      label={words("place_nodes")}
      heads={[
        words("head_node"),
        words("head_state"),
        words("head_version"),
        `>${words("head_load")}`,
        `>${words("head_clock")}`,
        words("head_started"),
        words("head_last_sign"),
      ]}
    >
      {nodes.map((node) => (
        <Row key={node.id} node={node} />
      ))}
    </Table>
  );
}

function Row({ node }: { node: Node }) {
  const gone = node.state === "gone";
  return (
    <tr class={gone ? "faint" : undefined}>
      <td class="main-cell">
        <span class="whole">{node.url}</span>
        <div class="small faint">
          {words("node_id", { id: node.id })}
          {node.this_node && ` · ${words("node_this")}`}
        </div>
      </td>
      <td>
        <span class={`badge node-${node.state}`}>{words(`node_${node.state}`)}</span>{" "}
        {node.on_duty && <span class="badge node-duty">{words("node_on_duty")}</span>}
        <div class="small faint">
          {node.roles.map((role) => named("role_of", role)).join(" · ")}
        </div>
      </td>
      <td class="small">{node.version}</td>
      <td class="right figures">
        {gone ? "–" : words("node_rate", { n: number(node.requests_per_second) })}
        {!gone && (
          <div class="small faint">
            {words("node_connections", { n: number(node.connections) })}
          </div>
        )}
      </td>
      <td class={`right figures nowrap${clockDiffers(node) ? " warn-text" : ""}`}>
        {node.clock_difference_ms === null
          ? "–"
          : words("node_clock", { n: number(node.clock_difference_ms) })}
      </td>
      <td class="small faint nowrap">{dateAndTime(node.started_at)}</td>
      <td class="small faint nowrap">{preciseTime(node.last_seen_at)}</td>
    </tr>
  );
}

function Shared({ nodes, ready }: { nodes: Node[]; ready: Asked<Readiness> }) {
  const drift = driftOf(nodes);
  const parts = ready.away ? [] : (ready.value?.parts ?? []);
  return (
    <section class="panel stack">
      <h2>{words("nodes_shared")}</h2>
      <p class="small faint">{words("nodes_shared_more")}</p>
      {ready.away && <p class="faint">{words("parts_unknown")}</p>}
      <ul class="checks">
        {parts.map((part) => (
          <li key={part.name} class={!part.ready ? "bad" : part.detail ? "warn" : "good"}>
            {named("component", part.name)}
            <span class="small faint">
              {" "}
              {noticeText(part) || words(part.ready ? "part_ready" : "part_not_ready")}
            </span>
          </li>
        ))}
        <li class={toneOfDrift(drift)}>
          {words("nodes_drift")}
          <span class="small faint">
            {" "}
            {words("nodes_drift_counts", {
              cold: number(drift.cold),
              drifting: number(drift.drifting),
              drifts: number(drift.drifts),
            })}
          </span>
        </li>
      </ul>
    </section>
  );
}

mount(NodesPage);
