// The optional fields of the capture form: the caller's own name for the fact, and how long it is kept.
import { LIMITS } from "#core/encoding/text-validation.ts";
import { Field, Select, TextInput } from "#web/ui/form/field.tsx";
import { type CaptureDraft, type Faults, MAX_DAYS } from "./capture-draft.ts";

interface LifetimeFieldsProps {
  readonly draft: CaptureDraft;
  readonly faults: Faults;
  readonly onChange: (field: "key" | "expiry" | "days" | "time", value: string) => void;
}

export function LifetimeFields({ draft: { key, expiry, days, time }, faults, onChange }: LifetimeFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <Field
        label="Key"
        error={faults.key}
        hint="The source agent’s own name for the fact. A later fact with the same key replaces it."
      >
        {(control) => (
          <TextInput
            {...control}
            name="key"
            value={key}
            maxLength={2 * LIMITS.key}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange("key", target.value)}
          />
        )}
      </Field>
      <Field label="Expires">
        {(control) => (
          <Select {...control} name="expiry" value={expiry} onChange={({ target }) => onChange("expiry", target.value)}>
            <option value="">As the namespace says</option>
            <option value="days">In some days</option>
            <option value="time">At a time</option>
          </Select>
        )}
      </Field>
      {expiry === "days" && (
        <Field label="Days" error={faults.days}>
          {(control) => (
            <TextInput
              {...control}
              type="number"
              name="days"
              min={0}
              max={MAX_DAYS}
              step="any"
              value={days}
              onChange={({ target }) => onChange("days", target.value)}
            />
          )}
        </Field>
      )}
      {expiry === "time" && (
        <Field label="Day and time" error={faults.time} hint="In your time zone.">
          {(control) => (
            <TextInput
              {...control}
              type="datetime-local"
              name="time"
              value={time}
              onChange={({ target }) => onChange("time", target.value)}
            />
          )}
        </Field>
      )}
    </div>
  );
}
