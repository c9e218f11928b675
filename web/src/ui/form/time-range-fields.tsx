import { isoOf, localMinute, type TimeValues } from "#web/lib/time-range.ts";
import { Field, TextInput } from "./field.tsx";
import { FilterSelect } from "./filter-select.tsx";

interface TimeRangeFieldsProps {
  readonly values: TimeValues;
  readonly set: (name: "range" | "from" | "to", value: string) => void;
  readonly all?: string;
}

/** A select of ranges; two times appear when the reader wants others. The parts are cells of the form's grid. */
export function TimeRangeFields({ values, set, all = "Any time" }: TimeRangeFieldsProps) {
  return (
    <>
      <FilterSelect
        label="Time"
        all={all}
        options={[
          ["hour", "Last hour"],
          ["day", "Last day"],
          ["week", "Last week"],
          ["custom", "Between …"],
        ]}
        value={values.range}
        onChange={(value) => set("range", value)}
      />
      {values.range === "custom" && (
        <>
          <TimeField label="From" value={values.from} onChange={(value) => set("from", value)} />
          <TimeField label="Before" value={values.to} onChange={(value) => set("to", value)} />
        </>
      )}
    </>
  );
}

interface TimeFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

const TimeField = ({ label, value, onChange }: TimeFieldProps) => (
  <Field label={label}>
    {(control) => (
      <TextInput
        {...control}
        type="datetime-local"
        value={localMinute(value)}
        onChange={({ target }) => onChange(isoOf(target.value) ?? "")}
      />
    )}
  </Field>
);
