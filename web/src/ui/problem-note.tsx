// What went wrong, in the service's own words, and a way on.
import { ProblemError } from "#contract/problem.ts";
import { Button } from "./form/button.tsx";
import { Shape } from "./status-mark.tsx";

interface ProblemNoteProps {
  readonly error: unknown;
  /** Left out: there is nothing to try again. */
  readonly onRetry?: (() => void) | undefined;
}

export function ProblemNote({ error, onRetry }: ProblemNoteProps) {
  const { title, detail, requestId, fields } = told(error);
  return (
    <div role="alert" className="rounded-md border border-fail bg-fail-wash px-4 py-3">
      <p className="flex items-center gap-2 font-medium">
        <Shape status="fail" />
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
              Request id <code className="font-mono">{requestId}</code>
            </span>
          )}
        </p>
      )}
    </div>
  );
}

interface Told {
  readonly title: string;
  readonly detail: string;
  readonly requestId?: string | undefined;
  readonly fields: readonly string[];
}

function told(error: unknown): Told {
  if (error instanceof ProblemError) {
    const { title, detail, requestId, errors = [] } = error.problem;
    const fields = errors.map((fault) => `${fault.pointer ?? fault.parameter ?? ""} ${fault.detail}`.trim());
    return { title, detail, requestId, fields };
  }
  return {
    title: "The service did not answer",
    detail: "Is it still running? Nothing was lost here; try again when it is back.",
    fields: [],
  };
}
