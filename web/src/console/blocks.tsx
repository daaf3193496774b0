import { put, remove } from "../base/api";
import { rowTime, zoneName } from "../base/format";
import { Field } from "../ui/parts";
import type { Listed } from "./ask";
import { instantOf } from "./fields";
import { ListTable } from "./frame";
import { Sure } from "./sure";
import { words } from "./texts";
import type { Block } from "./types";
import { nameOf, useWho, Who } from "./who";

const placeOf = (subject: string) => `/admin/blocks/${encodeURIComponent(subject)}`;

export function Blocks({ list }: { list: Listed<Block> }) {
  return (
    <section class="console-section">
      <div class="section-head">
        <h2>{words("blocks_title")}</h2>
        {!list.missing && <BlockButton done={list.reload} />}
      </div>
      <ListTable
        list={list}
        label={words("blocks_title")}
        none={words("blocks_none")}
        heads={[
          words("head_blocked"),
          words("head_reason"),
          `${words("head_until")} (${zoneName()})`,
          `${words("head_when")} (${zoneName()})`,
          words("head_actions"),
        ]}
        row={(block) => (
          <tr key={block.subject}>
            <td class="main-cell">
              {block.kind === "buyer" ? <Who id={block.subject} /> : block.subject}
              {block.kind === "address" && (
                <span class="small faint">{words("blocked_address")}</span>
              )}
            </td>
            <td>{block.reason || "–"}</td>
            <td class="nowrap">{block.until ? rowTime(block.until) : words("until_lifted")}</td>
            <td class="small faint nowrap">{rowTime(block.at)}</td>
            <td>
              <LiftButton block={block} done={list.reload} />
            </td>
          </tr>
        )}
      />
    </section>
  );
}

export function LiftButton({ block, done }: { block: Block; done: () => void }) {
  const user = useWho(block.kind === "buyer" ? block.subject : "");
  return (
    <Sure
      label={words("lift")}
      title={words("lift_sure", { subject: user ? nameOf(user) : block.subject })}
      yes={words("lift")}
      act={() => remove(placeOf(block.subject)).then(done)}
    />
  );
}

type BlockProps = { subject?: string; name?: string; done: () => void };

// Without a subject, the operator names one.
export function BlockButton({ subject, name, done }: BlockProps) {
  return (
    <Sure
      label={words(subject ? "block" : "block_somebody")}
      title={subject ? words("block_sure", { subject: name ?? subject }) : words("block_somebody")}
      more={words("block_more")}
      yes={words("block")}
      hot
      act={(given) => {
        const until = instantOf(given("until"));
        const body = { reason: given("reason"), ...(until && { until }) };
        return put(placeOf(subject ?? given("subject")), body).then(done);
      }}
    >
      {(wrong) => (
        <>
          {!subject && (
            <Field
              name="subject"
              label={words("head_blocked")}
              hint={words("block_subject_hint")}
              wrong={wrong("subject")}
            >
              {(attributes) => <input {...attributes} type="text" required />}
            </Field>
          )}
          <Field name="reason" label={words("head_reason")} wrong={wrong("reason")}>
            {(attributes) => <input {...attributes} type="text" maxLength={200} />}
          </Field>
          <Field
            name="until"
            label={words("head_until")}
            hint={words("block_until_hint")}
            wrong={wrong("until")}
          >
            {(attributes) => <input {...attributes} type="datetime-local" step={1} />}
          </Field>
        </>
      )}
    </Sure>
  );
}
