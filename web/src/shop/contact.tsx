// Where orders go: the fields that the shop asks for, at an order and in the account.

import type { Contact, ContactFields } from "../base/types";
import { Field } from "../ui/parts";
import { text } from "../ui/texts";
import type { Given, Wrong } from "./form";

export const contactNames = ["name", "phone", "address", "note"] as const;
type Name = (typeof contactNames)[number];

const autocomplete: Record<Name, string> = {
  name: "name",
  phone: "tel",
  address: "street-address",
  note: "off",
};
const isLong = (name: Name) => name === "address" || name === "note";

export const askedNames = (fields: ContactFields): Name[] =>
  contactNames.filter((name) => fields[name].asked !== "off");

// What is not asked for is not sent.
export const contactOf = (given: Given, fields: ContactFields) =>
  Object.fromEntries(askedNames(fields).map((name) => [name, given(name)])) as Partial<Contact>;

export const isMissing = (contact: Contact | null, fields: ContactFields): boolean =>
  contactNames.some((name) => fields[name].asked === "required" && !contact?.[name]);

type Props = { fields: ContactFields; known: Contact | null; wrong: Wrong };

export function ContactInputs({ fields, known, wrong }: Props) {
  return (
    <>
      {askedNames(fields).map((name) => (
        <Field
          key={name}
          name={name}
          label={text(`contact_${name}`)}
          hint={fields[name].asked === "optional" ? text("contact_optional") : ""}
          wrong={wrong(name)}
        >
          {(attributes) => {
            const common = {
              ...attributes,
              autocomplete: autocomplete[name],
              maxLength: fields[name].most_characters,
              required: fields[name].asked === "required",
              defaultValue: known?.[name] ?? "",
            };
            return isLong(name) ? (
              <textarea {...common} rows={3} />
            ) : (
              <input {...common} type={name === "phone" ? "tel" : "text"} />
            );
          }}
        </Field>
      ))}
    </>
  );
}

export function ContactFacts({ contact }: { contact: Contact }) {
  const told = contactNames.filter((name) => contact[name]);
  return (
    <dl class="facts">
      {told.map((name) => [
        <dt key={`${name}-name`}>{text(`contact_${name}`)}</dt>,
        <dd key={name} class="contact-text">
          {contact[name]}
        </dd>,
      ])}
    </dl>
  );
}
