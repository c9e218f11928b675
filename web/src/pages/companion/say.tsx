import { type KeyboardEvent, useState } from "react";
import { LIMITS, textFault } from "#core/encoding/text-validation.ts";
import { Button } from "#web/ui/button.tsx";
import { Field, TextArea } from "#web/ui/field.tsx";

interface SayProps {
  readonly onSay: (query: string) => void;
  readonly isBusy: boolean;
}

/** Enter sends, as in any chat; Shift and Enter begin a new line. */
export function Say({ onSay, isBusy }: SayProps) {
  const [query, setQuery] = useState("");
  const fault = query === "" ? undefined : textFault(query, LIMITS.query);
  const canSay = query !== "" && fault === undefined && !isBusy;
  const say = () => {
    if (!canSay) return;
    onSay(query);
    setQuery("");
  };
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    say();
  }
  return (
    <form
      className="mt-10 flex items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      <Field
        label="Your words"
        hideLabel
        className="flex-1"
        hint="Enter sends, Shift and Enter begin a new line."
        error={query.trim() === "" ? undefined : fault && `Your words: this ${fault}.`}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            placeholder="Is the restaurant on Friday safe for me?"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <Button look="primary" type="submit" busy={!canSay}>
        Say it
      </Button>
    </form>
  );
}
