// The service's verdict on its own receipt, and the deep check that only the service can make.
import { visible } from "#core/encoding/visible-text.ts";
import { headlineOf } from "#core/verify/labels.ts";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { StatusIcon, StatusMark } from "#web/ui/status-mark.tsx";
import { STATUS_OF_VERDICT } from "./checks/check-status.tsx";
import { ComparedValues } from "./checks/compared-values.tsx";
import type { useServiceVerification } from "./use-verification.ts";

type ServiceVerdictProps = Pick<ReturnType<typeof useServiceVerification>, "verification" | "error" | "deep">;

export function ServiceVerdict({ verification, error, deep }: ServiceVerdictProps) {
  const idChecks = verification?.checks.filter(({ name }) => name === "id") ?? [];
  return (
    <div className="flex flex-col items-start gap-3">
      {verification === undefined && error === null && <Skeleton className="h-6 w-40" />}
      {error !== null && <ProblemNote error={error} />}
      {verification !== undefined && (
        <p className="flex items-center gap-2.5">
          <StatusIcon status={STATUS_OF_VERDICT[verification.verdict]} className="shape size-5" />
          <span data-service-verdict={verification.verdict}>
            The service says{" "}
            <b className="font-medium">
              {headlineOf(verification.verdict, verification.checks, verification.sealed).toLowerCase()}
            </b>
            .
          </span>
        </p>
      )}
      <p className="text-sm text-soft">
        The service checks its own receipt here{verification?.sealed && ", without any opening"}. Rely on what your
        browser found.
      </p>
      {idChecks.length === 0 ? (
        <>
          <Button className="no-print" busy={deep.isPending} onClick={() => deep.mutate()}>
            {deep.isPending ? "Deriving blob ids …" : "Request a deep check"}
          </Button>
          <p className="no-print text-soft text-xs">
            In a deep check the service also derives each blob’s id from its bytes, so that you need not trust the blob
            store. It takes some seconds for each blob, and you trust the service for it.
          </p>
          {deep.error !== null && <ProblemNote error={deep.error} />}
        </>
      ) : (
        <ul className="flex w-full flex-col gap-3" aria-label="Deep check, by the service">
          {idChecks.map(({ status, sentence, compared }) => (
            <li key={compared?.expected ?? sentence}>
              <StatusMark status={status}>{visible(sentence)}</StatusMark>
              {compared && <ComparedValues {...compared} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
