import { useId } from "react";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { Field, TextInput } from "./field.tsx";
import { NameOptions } from "./name-options.tsx";

interface NameFieldProps {
  readonly label: string;
  /** The name of the input in its form. */
  readonly name: string;
  readonly value: string;
  /** The browser suggests these. */
  readonly suggestions: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A field for the name of an agent or a namespace. */
export function NameField({ label, name, value, suggestions, error, onChange }: NameFieldProps) {
  const list = useId();
  return (
    <Field label={label} error={error}>
      {(control) => (
        <>
          <TextInput
            {...control}
            name={name}
            value={value}
            list={list}
            maxLength={2 * LIMITS.name}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={list}>
            <NameOptions names={suggestions} />
          </datalist>
        </>
      )}
    </Field>
  );
}
