import type { KeyboardEvent } from "react";
import { LIMITS, nameFault, textFault } from "#core/encoding/text-validation.ts";
import { Button } from "#web/ui/button.tsx";
import { Field, TextArea } from "#web/ui/field.tsx";

const EXAMPLES = [
  "What should I know before dinner on Friday?",
  "What is coming up in May?",
  "How much is saved, and what does the car cost?",
] as const;

export const FIRST_QUESTION = EXAMPLES[0];

interface AskFormProps {
  readonly agentId: string;
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly onAsk: () => void;
  readonly onStop: () => void;
  readonly isAsking: boolean;
  /** The policy has changed since this very question was answered. */
  readonly askAgain: boolean;
}

export function AskForm({ agentId, query, onQuery, onAsk, onStop, isAsking, askAgain }: AskFormProps) {
  const fault = query === "" ? undefined : textFault(query, LIMITS.query);
  const canAsk = query !== "" && fault === undefined && nameFault(agentId) === undefined;
  const ask = () => {
    if (canAsk && !isAsking) onAsk();
  };
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <Field label="What it asks" error={fault && `The question ${fault}.`}>
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            className="font-serif text-lg leading-snug"
            value={query}
            onChange={({ target }) => onQuery(target.value)}
            onKeyDown={(event) => isSend(event) && ask()}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="primary" type="submit" busy={!canAsk || isAsking}>
          {askAgain ? "Ask again" : "Ask"}
        </Button>
        {isAsking && <Button onClick={onStop}>Stop</Button>}
        <span className="hidden text-soft text-xs sm:inline">
          or <kbd className="font-mono">Ctrl</kbd> + <kbd className="font-mono">Enter</kbd>
        </span>
      </div>
      <div>
        <p className="eyebrow">Or, for example</p>
        <ul className="mt-1 -ml-1.5">
          {EXAMPLES.filter((example) => example !== query).map((example) => (
            <li key={example}>
              <Button look="plain" className="text-left font-serif text-base" onClick={() => onQuery(example)}>
                {example}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </form>
  );
}

const isSend = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === "Enter" && (ctrlKey || metaKey);
