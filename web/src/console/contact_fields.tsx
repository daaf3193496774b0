// What buyers are asked for, so that their orders reach them.

import { put } from "../base/api";
import { Field } from "../ui/parts";
import { useAsked } from "./ask";
import { Table } from "./frame";
import { Sure } from "./sure";
import { words } from "./texts";
import type { ContactFieldsOfShop } from "./types";

const once = 3_600_000;
const names = ["name", "phone", "address", "note"] as const;
const askings = ["off", "optional", "required"] as const;

export function ContactFields() {
  const { value, refresh } = useAsked<ContactFieldsOfShop>("/admin/contact-fields", once);
  if (!value) return null;
  const { fields } = value;
  return (
    <section class="console-section">
      <h2>{words("contact_fields")}</h2>
      <p class="faint">{words("contact_fields_more")}</p>
      <Table
        label={words("contact_fields")}
        heads={[words("contact_field"), words("contact_asked"), words("contact_most")]}
      >
        {names.map((name) => (
          <tr key={name}>
            <td>{words(`contact_${name}`)}</td>
            <td>{words(`asked_${fields[name].asked}`)}</td>
            <td class="figures">{fields[name].most_characters}</td>
          </tr>
        ))}
      </Table>
      <Sure
        label={words("contact_fields_change")}
        title={words("contact_fields_change")}
        more={words("contact_fields_change_more")}
        yes={words("save")}
        act={(given) =>
          put(
            "/admin/contact-fields",
            Object.fromEntries(names.map((name) => [name, given(name)])),
          ).then(refresh)
        }
      >
        {(wrong) =>
          names.map((name) => (
            <Field key={name} name={name} label={words(`contact_${name}`)} wrong={wrong(name)}>
              {(attributes) => (
                <select {...attributes}>
                  {askings.map((asked) => (
                    <option key={asked} value={asked} selected={asked === fields[name].asked}>
                      {words(`asked_${asked}`)}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ))
        }
      </Sure>
    </section>
  );
}
