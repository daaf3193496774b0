import { useEffect, useState } from "preact/hooks";

import { put, remove } from "../base/api";
import { rowTime, zoneName } from "../base/format";
import { queryOf } from "../base/query";
import { mount } from "../ui/page";
import { useUser } from "../ui/use_user";
import { Field } from "../ui/parts";
import { useListed } from "./ask";
import { BlockButton, Blocks, LiftButton } from "./blocks";
import { ConsolePage, Heading, ListTable } from "./frame";
import { Sure } from "./sure";
import { words } from "./texts";
import type { Block, Role, UserRow } from "./types";
import { nameOf, rememberUsers } from "./who";

const mostBlocks = 1000;
const roles = ["buyer", "support", "operator", "admin"] as const;

function Users() {
  const [phone, setPhone] = useState("");
  const [role, setRole] = useState("");
  const filter = new URLSearchParams({ limit: "50" });
  if (phone) filter.set("phone", phone);
  if (role) filter.set("role", role);
  const list = useListed<UserRow>(`/admin/users?${queryOf(filter)}`, "users");
  const blocks = useListed<Block>("/admin/blocks?limit=100", "blocks");
  // A row must know whether its user is blocked.
  useEffect(() => {
    if (blocks.rows && blocks.rows.length < mostBlocks) blocks.more?.();
  }, [blocks.rows]);
  useEffect(() => rememberUsers(list.rows ?? []), [list.rows]);
  return (
    <ConsolePage title={words("place_users")}>
      <Heading title={words("place_users")} lead={words("users_lead")} />
      <div class="filters">
        <Field name="phone" label={words("find_phone")}>
          {(attributes) => (
            <input
              {...attributes}
              type="search"
              onChange={(event) => setPhone(event.currentTarget.value.trim())}
            />
          )}
        </Field>
        <Field name="role" label={words("head_role")}>
          {(attributes) => (
            <select {...attributes} onChange={(event) => setRole(event.currentTarget.value)}>
              <option value="">{words("all")}</option>
              <RoleOptions />
            </select>
          )}
        </Field>
      </div>
      <ListTable
        list={list}
        label={words("place_users")}
        none={words("users_none")}
        heads={[
          words("head_who"),
          words("head_phone"),
          words("head_role"),
          `${words("head_since")} (${zoneName()})`,
          words("head_actions"),
        ]}
        row={(user) => (
          <Row
            key={user.id}
            user={user}
            block={blocks.rows?.find(({ subject }) => subject === user.id) ?? null}
            changed={list.reload}
            blocked={blocks.reload}
          />
        )}
      />
      <Blocks list={blocks} />
    </ConsolePage>
  );
}

// `first` is shown before anything is chosen; what was chosen stays.
function RoleOptions({ first }: { first?: Role }) {
  return (
    <>
      {roles.map((name) => (
        <option key={name} value={name} selected={name === first}>
          {words(`role_${name}`)}
        </option>
      ))}
    </>
  );
}

type RowProps = {
  user: UserRow;
  block: Block | null;
  changed: () => void;
  blocked: () => void;
};

function Row({ user, block, changed, blocked }: RowProps) {
  const viewer = useUser();
  const me = viewer?.id === user.id;
  return (
    <tr>
      <td class="main-cell">
        {user.name || user.phone}
        <span class="small faint">{user.id}</span>
      </td>
      <td class="figures">{user.phone}</td>
      <td>
        <span class={`badge role-${user.role}`}>{words(`role_${user.role}`)}</span>{" "}
        {block && <span class="badge paused">{words("blocks_title")}</span>}
      </td>
      <td class="small faint nowrap">{rowTime(user.created_at)}</td>
      <td>
        {!me && (
          <div class="row tight">
            {viewer?.role === "admin" && <RoleButton user={user} changed={changed} />}
            {block && <LiftButton block={block} done={blocked} />}
            {!block && user.role === "buyer" && (
              <BlockButton subject={user.id} name={nameOf(user)} done={blocked} />
            )}
            {user.role === "buyer" && <EraseButton user={user} />}
          </div>
        )}
      </td>
    </tr>
  );
}

function EraseButton({ user }: Pick<RowProps, "user">) {
  return (
    <Sure
      label={words("contact_erase")}
      title={words("contact_erase_of", { name: nameOf(user) })}
      more={words("contact_erase_more")}
      yes={words("contact_erase_yes")}
      hot
      act={() => remove(`/admin/users/${user.id}/contact`)}
    />
  );
}

function RoleButton({ user, changed }: Pick<RowProps, "user" | "changed">) {
  return (
    <Sure
      label={words("role_change")}
      title={words("role_change_of", { name: user.name || user.phone })}
      more={words("role_change_more")}
      yes={words("save")}
      act={(given) =>
        put<UserRow>(`/admin/users/${user.id}/role`, { role: given("role") as Role }).then(changed)
      }
    >
      {(wrong) => (
        <Field name="role" label={words("head_role")} wrong={wrong("role")}>
          {(attributes) => (
            <select {...attributes}>
              <RoleOptions first={user.role} />
            </select>
          )}
        </Field>
      )}
    </Sure>
  );
}

mount(Users);
