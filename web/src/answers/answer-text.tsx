// The text of an answer in every state: still coming, answered again after a change, stopped, or failed. Text that a change
// made void stays, struck through.
import type { ReactNode } from "react";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { ClampedText } from "#web/ui/text/untrusted-text.tsx";
import type { Turn } from "./conversation.ts";
import { VoidText } from "./void-text.tsx";

interface AnswerTextProps {
  readonly turn: Turn;
  readonly onRetry: () => void;
  /** A finished answer with more characters than this is clamped. */
  readonly maxLength: number;
  /** Tailwind's class for the number of lines of a clamped answer. */
  readonly clamp: string;
  readonly className: string;
  /** The text with markup; the plain text when left out. */
  readonly children?: ReactNode;
}

export function AnswerText({ turn, onRetry, maxLength, clamp, className, children }: AnswerTextProps) {
  const { status, text, voided, error } = turn;
  if (status === "failed") return <ProblemNote error={error} onRetry={onRetry} />;
  return (
    <>
      {voided.map((attempt, i) => (
        <VoidText
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only appended.
          key={i}
          attempt={attempt}
          next={voided[i + 1]?.gate ?? turn.gate}
          className={className}
        />
      ))}
      {text === "" && status === "asking" ? (
        <Skeleton lines={3} />
      ) : (
        <ClampedText
          length={text.length}
          // A reader follows an answer that is still coming, so it is not clamped yet.
          maxLength={status === "asking" ? Number.POSITIVE_INFINITY : maxLength}
          clamp={clamp}
          className={className}
        >
          {children ?? text}
        </ClampedText>
      )}
      {status === "stopped" && <p className="mt-2 text-soft text-sm">Stopped. No answer was released.</p>}
    </>
  );
}
