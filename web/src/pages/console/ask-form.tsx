import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";
import { LIMITS, nameFault, textFault } from "#core/encoding/text-validation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Field, TextArea } from "#web/ui/form/field.tsx";

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
  /** The policy has changed since the answer to this question. */
  readonly isOutdated: boolean;
  /** Nothing was asked yet, so the examples are in view. */
  readonly isFirst: boolean;
}

export function AskForm({ agentId, query, onQuery, onAsk, onStop, isAsking, isOutdated, isFirst }: AskFormProps) {
  const fault = query === "" ? undefined : textFault(query, LIMITS.query);
  const canAsk = query !== "" && fault === undefined && nameFault(agentId) === undefined;
  const askButton = useRef<HTMLButtonElement>(null);
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
      <Field label="Question" error={fault && `The question ${fault}.`}>
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
        <Button ref={askButton} look="primary" type="submit" busy={!canAsk || isAsking}>
          {isOutdated ? "Ask again" : "Ask"}
        </Button>
        {isAsking && <StopButton onStop={onStop} next={askButton} />}
        <span className="hidden text-soft text-xs sm:inline">
          or <kbd className="font-mono">Ctrl</kbd> + <kbd className="font-mono">Enter</kbd>
        </span>
      </div>
      <div className={isFirst ? "flex flex-col gap-4" : "flex flex-col"}>
        <AsCode route="chat" input={{ body: { agentId, query } }} />
        {isFirst ? (
          <div>
            <p className="eyebrow">Examples</p>
            <Examples query={query} onQuery={onQuery} />
          </div>
        ) : (
          <Disclosure summary="Examples">
            <Examples query={query} onQuery={onQuery} />
          </Disclosure>
        )}
      </div>
    </form>
  );
}

const Examples = ({ query, onQuery }: Pick<AskFormProps, "query" | "onQuery">) => (
  <ul className="mt-1 -ml-1.5">
    {EXAMPLES.filter((example) => example !== query).map((example) => (
      <li key={example}>
        <Button look="plain" className="text-left font-serif text-base" onClick={() => onQuery(example)}>
          {example}
        </Button>
      </li>
    ))}
  </ul>
);

interface StopButtonProps {
  readonly onStop: () => void;
  readonly next: RefObject<HTMLButtonElement | null>;
}

/** When it goes away, because it was pressed or because the answer is complete, it hands the focus on. */
function StopButton({ onStop, next }: StopButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      if (document.activeElement === own) next.current?.focus();
    };
  }, [next]);
  return (
    <Button ref={button} onClick={onStop}>
      Stop
    </Button>
  );
}

const isSend = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => key === "Enter" && (ctrlKey || metaKey);
