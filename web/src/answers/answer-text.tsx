// The text of an answer in every state: still coming, answered again after a change, stopped, or failed. Text that a change
// made void stays, struck through.
import { Fragment, type ReactNode } from "react";
import type { GateEvent } from "#contract/routes.ts";
import { classNames, plural } from "#web/lib/strings.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { ClampedText, Name } from "#web/ui/text.tsx";
import { type Turn, type VoidAttempt, type Withdrawal, withdrawnBetween } from "./conversation.ts";

interface AnswerTextProps {
  readonly turn: Turn;
  readonly onRetry: () => void;
  readonly maxLength: number;
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

interface VoidTextProps {
  readonly attempt: VoidAttempt;
  /** What the gate decided then. Undefined until the service has said so. */
  readonly next: GateEvent | undefined;
  readonly className: string;
}

/** Text that a change in the middle of an answer made void, and what the change withdrew. */
const VoidText = ({ attempt: { text, gate }, next, className }: VoidTextProps) => (
  <>
    {text !== "" && (
      <p dir="auto" className={classNames("untrusted whitespace-pre-line text-soft", className)}>
        <span className="sr-only">Void: </span>
        <del className="void-text decoration-[1.5px] decoration-iron">{text}</del>
      </p>
    )}
    <p className="my-4 flex items-center gap-2.5 rounded-md bg-iron-wash px-3 py-2 text-sm first:mt-0">
      <GateIcon open={false} className="size-6" />
      <span>{gate === undefined || next === undefined ? ANSWERING_AGAIN : <Withdrawn before={gate} now={next} />}</span>
    </p>
  </>
);

export const ANSWERING_AGAIN = "Something changed. The service is answering again.";

/** "Withdrawn: 3 memories of health, whose gate closed. The service answered again without them." */
export function Withdrawn({ before, now }: { readonly before: GateEvent; readonly now: GateEvent }) {
  const withdrawn = withdrawnBetween(before, now);
  const closed = withdrawn.filter(({ isClosed }) => isClosed);
  const others = withdrawn.filter(({ isClosed }) => !isClosed);
  if (withdrawn.length === 0) return "Something changed, so the service answered again.";
  return (
    <>
      {closed.length > 0 && (
        <>
          <strong className="font-medium">
            Withdrawn: <Groups groups={closed} />.
          </strong>{" "}
          {closed.length === 1 ? "Its gate" : "Their gates"} closed during this answer.{" "}
        </>
      )}
      {others.length > 0 && (
        <>
          No longer used: <Groups groups={others} />.{" "}
        </>
      )}
      The service answered again without {countOf(withdrawn) === 1 ? "it" : "them"}.
    </>
  );
}

const countOf = (groups: readonly Withdrawal[]): number =>
  groups.reduce((sum, { memories }) => sum + memories.length, 0);

const Groups = ({ groups }: { readonly groups: readonly Withdrawal[] }) =>
  groups.map(({ namespace, memories }, i) => (
    <Fragment key={namespace}>
      {i > 0 && ", "}
      {plural(memories.length, "memory", "memories")} of <Name>{namespace}</Name>
    </Fragment>
  ));
