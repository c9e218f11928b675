import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { LIMITS, nameFault, textFault } from "#core/encoding/text-validation.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { Button, Form, Select, TextArea, TextField } from "#web/ui/form.tsx";
import { NameOptions } from "#web/ui/name-fields.tsx";
import { Disclosure } from "#web/ui/page.tsx";

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
  readonly label: "Question" | "Message";
  readonly placeholder?: string;
  readonly button: string;
  readonly code: ReactNode;
  /** Nothing was asked yet, so the examples are in view. */
  readonly isFirst?: boolean;
  /** The examples are about the demo. Undefined: it is not known yet. */
  readonly hasExamples?: boolean | undefined;
}

export function AskForm({ agentId, query, onQuery, onAsk, onStop, isAsking, label, ...rest }: AskFormProps) {
  const { placeholder, button, code, isFirst = false, hasExamples } = rest;
  const fault = query === "" ? undefined : textFault(query, LIMITS.query);
  const canAsk = query !== "" && fault === undefined && nameFault(agentId) === undefined;
  const askButton = useRef<HTMLButtonElement>(null);
  const ask = () => {
    if (canAsk && !isAsking) onAsk();
  };
  return (
    <Form className="flex flex-col gap-4" onSubmit={ask}>
      <TextArea
        label={label}
        placeholder={placeholder}
        error={fault && `The ${label.toLowerCase()} ${fault}.`}
        rows={3}
        look="font-serif text-lg leading-snug"
        value={query}
        onChange={onQuery}
        onKeyDown={(event) => {
          if (!isSend(event)) return;
          event.preventDefault();
          ask();
        }}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button ref={askButton} look="primary" type="submit" busy={!canAsk || isAsking}>
          {button}
        </Button>
        {isAsking && <StopButton onStop={onStop} next={askButton} />}
      </div>
      <div className={isFirst ? "flex flex-col gap-4" : "flex flex-col"}>
        {code}
        {/* Their place is kept while nobody knows, so that nothing moves. */}
        {hasExamples !== false && isFirst && (
          <div className={hasExamples ? undefined : "invisible"}>
            <p className="eyebrow">Examples</p>
            <Examples query={query} onQuery={onQuery} />
          </div>
        )}
        {hasExamples && !isFirst && (
          <Disclosure summary="Examples">
            <Examples query={query} onQuery={onQuery} />
          </Disclosure>
        )}
      </div>
    </Form>
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

/** Enter sends, Shift and Enter start a new line. An input method takes Enter for itself. */
const isSend = ({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  key === "Enter" && !shiftKey && !nativeEvent.isComposing;

/** No name of an agent has a control character. */
const OTHER = "\u0000other";

interface AgentSelectProps {
  readonly agentId: string;
  readonly onChange: (agentId: string) => void;
}

export function AgentSelect({ agentId, onChange }: AgentSelectProps) {
  const agents = useAgentsAndNamespaces()?.agents ?? [agentId];
  const [isTyping, setTyping] = useState(false);
  const isKnown = agents.includes(agentId);
  return (
    <div className="flex flex-wrap gap-3">
      <Select
        label="Agent"
        className="min-w-44 flex-1"
        value={isTyping ? OTHER : agentId}
        onChange={(value) => {
          setTyping(value === OTHER);
          onChange(value === OTHER ? "" : value);
        }}
      >
        {!isTyping && !isKnown && <option>{agentId}</option>}
        <NameOptions names={agents} />
        <option value={OTHER}>other agent …</option>
      </Select>
      {isTyping && (
        <TextField
          label="Agent name"
          className="min-w-44 flex-1"
          error={agentId === "" ? undefined : nameFault(agentId)}
          hint="A new agent may use nothing until you open a gate for it."
          value={agentId}
          maxLength={2 * LIMITS.name}
          autoComplete="off"
          spellCheck={false}
          onChange={onChange}
        />
      )}
    </div>
  );
}
