import { useId } from "react";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { Field, TextInput } from "./field.tsx";

interface NameFieldProps {
  readonly label: string;
  /** Of the input, for its form. */
  readonly name: string;
  readonly value: string;
  /** What the browser may suggest. */
  readonly known: readonly string[];
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/** For the name of an agent or a namespace: one that is known, or any other. */
export function NameField({ label, name, value, known, fault, onChange }: NameFieldProps) {
  const list = useId();
  return (
    <Field label={label} error={fault}>
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
            {known.map((option) => (
              <option key={option} value={option} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
