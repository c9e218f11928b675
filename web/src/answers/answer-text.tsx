// The text of an answer in every state: still coming, answered again after a policy change, stopped, or failed.
import type { ReactNode } from "react";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { ClampedText } from "#web/ui/text/untrusted-text.tsx";
import type { Turn } from "./conversation.ts";

export const ANSWERING_AGAIN = "The policy changed. The service is answering again under the new policy.";

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
  const { status, text, restarted, error } = turn;
  if (status === "failed") return <ProblemNote error={error} onRetry={onRetry} />;
  return (
    <>
      {restarted && (
        <p className="mb-3 flex items-center gap-2 rounded-md bg-iron-wash px-3 py-2 text-sm">
          <GateIcon open={false} className="size-5" />
          {status === "asking"
            ? ANSWERING_AGAIN
            : "The policy changed during this answer, so the service answered again under the new policy."}
        </p>
      )}
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
      {status === "stopped" && <p className="mt-2 text-soft text-sm">Stopped. There is no receipt.</p>}
    </>
  );
}
