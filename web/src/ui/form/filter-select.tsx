import { Field, Select } from "./field.tsx";

interface FilterSelectProps {
  readonly label: string;
  /** The text of the option that sets no filter: "All agents". */
  readonly all: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** A value that is not among the options, from a link for example, is listed as well. */
export function FilterSelect({ label, all, value = "", options, onChange }: FilterSelectProps) {
  const isListed = value === "" || options.some(([option]) => option === value);
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{all}</option>
          {!isListed && <option value={value}>{value}</option>}
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
