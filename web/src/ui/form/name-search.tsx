// A search field for names, of a list that is on the page already.
import { Field, TextInput } from "./field.tsx";

interface NameSearchProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string;
}

export const NameSearch = ({ label, value, onChange, className }: NameSearchProps) => (
  <Field label={label} {...(className !== undefined && { className })}>
    {(control) => (
      <TextInput
        {...control}
        type="search"
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);
