// An answer of the console. In a comparison, the parts that only this answer quotes are marked.
import { useRef } from "react";
import type { UsedMemory } from "#core/receipt/receipt.ts";
import { AnswerText } from "#web/answers/answer-text.tsx";
import type { Turn } from "#web/answers/conversation.ts";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { splitByQuotes } from "./answer-difference.ts";

interface Marking {
  /** Quotes from these memories are marked. */
  readonly memories: readonly UsedMemory[];
  /** A text before each mark, for screen readers. */
  readonly hint: string;
}

interface ConsoleAnswerProps {
  readonly turn: Turn;
  readonly marking?: Marking | undefined;
  readonly onRetry: () => void;
}

export function ConsoleAnswer({ turn, marking, onRetry }: ConsoleAnswerProps) {
  const { text, receipt } = turn;
  const container = useRef<HTMLDivElement>(null);
  return (
    <div ref={container} tabIndex={-1}>
      <AnswerText
        turn={turn}
        onRetry={() => {
          // The note with the button goes away. The answer comes here.
          container.current?.focus({ preventScroll: true });
          onRetry();
        }}
        maxLength={900}
        clamp="line-clamp-[12]"
        className="max-w-[42rem] font-serif text-[1.375rem] leading-[1.45]"
      >
        {marking && <MarkedText text={text} {...marking} />}
      </AnswerText>
      {receipt !== undefined && (
        <p className="mt-3 text-soft text-xs">
          Answered to <Name className="font-medium text-ink">{receipt.agentId}</Name> at{" "}
          <Timestamp at={receipt.createdAt} /> under policy version{" "}
          <span className="font-mono">{receipt.evidence.policyVersion}</span>
        </p>
      )}
    </div>
  );
}

function MarkedText({ text, memories, hint }: Marking & { readonly text: string }) {
  return splitByQuotes(text, memories).map((part, index) =>
    part.isQuote ? (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one answer never change their order.
        key={index}
        className="rounded-sm bg-unknown-wash text-ink underline decoration-2 decoration-unknown underline-offset-4"
      >
        <span className="sr-only">{hint}</span>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
