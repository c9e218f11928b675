import { type KeyboardEvent, useState } from "react";
import { LIMITS, textFault } from "#core/encoding/text-validation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Field, TextArea } from "#web/ui/form/field.tsx";

interface MessageFormProps {
  readonly onSend: (query: string) => void;
  readonly isBusy: boolean;
}

/** Enter sends the message. Shift and Enter start a new line. */
export function MessageForm({ onSend, isBusy }: MessageFormProps) {
  const [query, setQuery] = useState("");
  const fault = query === "" ? undefined : textFault(query, LIMITS.query);
  const canSend = query !== "" && fault === undefined && !isBusy;
  const send = () => {
    if (!canSend) return;
    onSend(query);
    setQuery("");
  };
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  }
  return (
    <form
      className="mt-10 flex flex-wrap items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Field
        label="Message"
        hideLabel
        className="flex-1"
        hint="Enter sends the message. Shift and Enter start a new line."
        error={query.trim() === "" ? undefined : fault && `The message ${fault}.`}
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
      <Button look="primary" type="submit" busy={!canSend}>
        Send
      </Button>
      <AsCode route="companion" input={{ body: { query } }} />
    </form>
  );
}
