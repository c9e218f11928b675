import { LIMITS } from "#core/encoding/text-validation.ts";
import { Field, TextArea } from "#web/ui/form/field.tsx";

interface ContentFieldProps {
  readonly value: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The text of a memory, with a count of its characters. */
export function ContentField({ value, fault, onChange }: ContentFieldProps) {
  const left = LIMITS.content - Array.from(value).length;
  return (
    <Field label="Memory" error={fault} hint={<Counter left={left} />}>
      {(control) => (
        <TextArea
          {...control}
          name="content"
          rows={4}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className="max-h-72 font-serif text-[1.0625rem]"
        />
      )}
    </Field>
  );
}

function Counter({ left }: { readonly left: number }) {
  const used = LIMITS.content - left;
  return (
    <>
      <span className={left < 0 ? "font-mono text-fail" : "font-mono"}>{used.toLocaleString("en")}</span> of{" "}
      <span className="font-mono">{LIMITS.content.toLocaleString("en")}</span> characters
      {left < 0 && `: ${(-left).toLocaleString("en")} too many`}
    </>
  );
}
