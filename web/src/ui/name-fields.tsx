// Fields for names, and the filters of a list.

import { memo, useId } from "react";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { isoOf, localMinute, type TimeValues } from "#web/lib/time-range.ts";
import { Button, Select, TextField } from "./form.tsx";

interface NameFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly suggestions?: readonly string[];
  /** The only names that the caller may choose; undefined when it may name any. */
  readonly only?: readonly string[] | undefined;
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly className?: string;
  readonly onChange: (value: string) => void;
}

export function NameField({ suggestions = [], only, ...rest }: NameFieldProps) {
  const list = useId();
  if (only !== undefined) return <Select {...rest} options={asOptions(only)} />;
  return (
    <div className="contents">
      <TextField {...rest} list={list} maxLength={2 * LIMITS.name} autoComplete="off" spellCheck={false} />
      <datalist id={list}>
        <NameOptions names={suggestions} />
      </datalist>
    </div>
  );
}

/** The options of a select or a datalist, one a name. There may be hundreds, which are drawn again only when they change. */
export const NameOptions = memo(({ names }: { readonly names: readonly string[] }) =>
  names.map((name) => (
    <option key={name} value={name}>
      {name}
    </option>
  )),
);

interface FilterSelectProps {
  readonly label: string;
  /** The text of the option that sets no filter: "All agents". */
  readonly all: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** A value that is not among the options, from a link for example, is listed as well. */
export function FilterSelect({ all, value = "", options, ...rest }: FilterSelectProps) {
  const isListed = value === "" || options.some(([option]) => option === value);
  return (
    <Select {...rest} value={value} options={options}>
      <option value="">{all}</option>
      {!isListed && <option value={value}>{value}</option>}
    </Select>
  );
}

export const ClearFilters = ({ isFiltered, clear }: { readonly isFiltered: boolean; readonly clear: () => void }) =>
  isFiltered && (
    <Button look="plain" className="col-span-full justify-self-start" onClick={clear}>
      Clear all filters
    </Button>
  );

export const asOptions = (names: readonly string[]) => names.map((name) => [name, name] as const);

interface TimeRangeFieldsProps {
  readonly values: TimeValues;
  readonly set: (name: "range" | "from" | "to", value: string) => void;
}

/** A select of ranges; two times appear when the reader wants others. The parts are cells of the form's grid. */
export function TimeRangeFields({ values, set }: TimeRangeFieldsProps) {
  const timeField = (label: string, name: "from" | "to") => (
    <TextField
      label={label}
      type="datetime-local"
      value={localMinute(values[name])}
      onChange={(value) => set(name, isoOf(value) ?? "")}
    />
  );
  return (
    <>
      <FilterSelect
        label="Time"
        all="Any time"
        options={[
          ["hour", "Last hour"],
          ["day", "Last day"],
          ["week", "Last week"],
          ["custom", "Between …"],
        ]}
        value={values.range}
        onChange={(value) => set("range", value)}
      />
      {values.range === "custom" && timeField("From", "from")}
      {values.range === "custom" && timeField("Before", "to")}
    </>
  );
}
