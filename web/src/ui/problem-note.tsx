// An error message: the service's own words, and a button to try again.
import { ProblemError } from "#contract/problem.ts";
import { Button } from "./form/button.tsx";
import { RequestId } from "./request-id.tsx";
import { StatusIcon } from "./status-mark.tsx";

interface ProblemNoteProps {
  readonly error: unknown;
  /** Without it there is no button. */
  readonly onRetry?: (() => void) | undefined;
}

export function ProblemNote({ error, onRetry }: ProblemNoteProps) {
  const { title, detail, requestId, fields } = messageOf(error);
  return (
    <div role="alert" className="rounded-md border border-fail bg-fail-wash px-4 py-3">
      <p className="flex items-center gap-2 font-medium">
        <StatusIcon status="fail" />
        {title}
      </p>
      <p className="mt-1 text-sm">{detail}</p>
      {fields.length > 0 && (
        <ul className="mt-1 list-disc pl-5 text-sm">
          {fields.map((field) => (
            <li key={field}>{field}</li>
          ))}
        </ul>
      )}
      {(requestId !== undefined || onRetry !== undefined) && (
        <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-soft text-xs">
          {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
          {requestId !== undefined && (
            <span>
              <RequestId requestId={requestId} />
            </span>
          )}
        </p>
      )}
    </div>
  );
}

interface Message {
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string | undefined;
  readonly fields: readonly string[];
}

function messageOf(error: unknown): Message {
  if (error instanceof ProblemError) {
    const { title, detail, requestId, errors = [] } = error.problem;
    const fields = errors.map((field) => `${field.pointer ?? field.parameter ?? ""} ${field.detail}`.trim());
    return { title, detail, requestId, fields };
  }
  return {
    title: "The service did not answer",
    detail: "Check that the service is running, then try again.",
    fields: [],
  };
}
