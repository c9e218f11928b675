// An answer as it comes, and as it stands.
import type { UsedMemory } from "#core/receipt/receipt.ts";
import type { Turn } from "#web/answers/conversation.ts";
import { Gate } from "#web/ui/gate-icon.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Moment } from "#web/ui/text/timestamp.tsx";
import { Clamped, Name } from "#web/ui/text/untrusted-text.tsx";
import { quotedFrom } from "./answer-difference.ts";

type Used = readonly UsedMemory[];

/** About twelve lines. */
const LONG = 900;

interface AnswerProps {
  readonly turn: Turn;
  /** Of what was quoted from these, the answer says that it left or came. */
  readonly changed?: { readonly memories: Used; readonly how: "left" | "came" } | undefined;
  readonly onRetry: () => void;
}

export function Answer({ turn, changed, onRetry }: AnswerProps) {
  const { status, text, restarted, receipt, error } = turn;
  if (status === "failed") return <ProblemNote error={error} onRetry={onRetry} />;
  return (
    <div>
      {restarted && (
        <p className="mb-3 flex items-center gap-2 rounded-md bg-iron-wash px-3 py-2 text-sm">
          <Gate open={false} className="size-5" />
          {status === "asking"
            ? "The policy changed; answering again without it."
            : "The policy changed while this was answered, so it was answered anew."}
        </p>
      )}
      {text === "" && status === "asking" ? (
        <Skeleton lines={3} />
      ) : (
        <Clamped
          length={text.length}
          // What is still coming is watched; only what stands is folded.
          short={status === "asking" ? Number.POSITIVE_INFINITY : LONG}
          clamp="line-clamp-[12]"
          className="max-w-[42rem] font-serif text-[1.375rem] leading-[1.45]"
        >
          {changed === undefined ? text : <Marked text={text} {...changed} />}
        </Clamped>
      )}
      {status === "stopped" && <p className="mt-2 text-soft text-sm">Stopped. No receipt was given for it.</p>}
      {receipt !== undefined && (
        <p className="mt-3 text-soft text-xs">
          Answered to <Name className="font-medium text-ink">{receipt.agentId}</Name> at{" "}
          <Moment at={receipt.createdAt} /> under policy version{" "}
          <span className="font-mono">{receipt.evidence.policyVersion}</span>
        </p>
      )}
    </div>
  );
}

function Marked({
  text,
  memories,
  how,
}: {
  readonly text: string;
  readonly memories: Used;
  readonly how: "left" | "came";
}) {
  return quotedFrom(text, memories).map((piece, place) =>
    piece.quoted ? (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one answer never move.
        key={place}
        className="rounded-sm bg-unknown-wash text-ink underline decoration-2 decoration-unknown underline-offset-4"
      >
        <span className="sr-only">{how === "left" ? "(only before:) " : "(new:) "}</span>
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
