// The service's verdict on its own receipt, and the deep check that only the service can make.
import { visible } from "#core/encoding/visible-text.ts";
import { HEADLINE, headlineOf, isOnlyConsistent } from "#core/verify/labels.ts";
import { classNames } from "#web/lib/strings.ts";
import type {
  ServiceVerification,
  ShownVerification,
  useServiceVerification,
} from "#web/pages/verify/use-verification.ts";
import { STATUS_OF_VERDICT } from "#web/pages/verify/verdict-header.tsx";
import { RunButton } from "#web/ui/form.tsx";
import { Skeleton } from "#web/ui/page.tsx";
import { ProblemNote, StatusIcon, StatusMark } from "#web/ui/status.tsx";
import { ComparedValues } from "./check-row.tsx";
import { disagreements } from "./disagreements.ts";

type ServiceVerdictProps = Pick<ReturnType<typeof useServiceVerification>, "verification" | "error" | "deep">;

export function ServiceVerdict({ verification, error, deep }: ServiceVerdictProps) {
  const ledger = verification?.network === "local" ? "local" : "operators-node";
  const idChecks = verification?.checks.filter(({ name }) => name === "id") ?? [];
  return (
    <div className="flex flex-col items-start gap-3">
      {verification === undefined && error === null && <Skeleton className="h-6 w-40" />}
      {error !== null && <ProblemNote error={error} />}
      {verification !== undefined && (
        <p className="flex items-center gap-2.5">
          <StatusIcon
            status={STATUS_OF_VERDICT[verification.verdict]}
            className={classNames("shape size-5", isOnlyConsistent(verification.verdict, ledger) && "text-unknown!")}
          />
          <span data-service-verdict={verification.verdict}>
            The service says{" "}
            <b className="font-medium">
              {headlineOf(verification.verdict, verification.checks, verification.sealed, ledger).toLowerCase()}
            </b>
            .
          </span>
        </p>
      )}
      {idChecks.length === 0 ? (
        <>
          <RunButton className="no-print" of={deep} words={["Request a deep check", "Deriving blob ids …"]} />
          <p className="no-print text-soft text-xs">It derives each blob’s id from its bytes, in some seconds.</p>
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

interface DisagreementAlertProps {
  readonly browser: ShownVerification;
  readonly service: ServiceVerification;
}

/** The alert for different results of the browser and the service. It is the most important message of the page. */
export function DisagreementAlert({ browser: { progress }, service }: DisagreementAlertProps) {
  if (progress.verdict === undefined) return null;
  const rows = disagreements(progress.checks, service.checks);
  if (rows.length === 0) return null;
  return (
    <div role="alert" className="mb-10 rounded-lg border-2 border-fail bg-card px-5 py-5 sm:px-8">
      <h2 className="flex items-center gap-3 font-medium font-serif text-xl">
        <StatusIcon status="fail" className="size-7" />
        Your browser and the service do not agree
      </h2>
      <p className="measure mt-2">
        Your browser says {HEADLINE[progress.verdict].toLowerCase()}, the service says{" "}
        {HEADLINE[service.verdict].toLowerCase()}. Check again. If they still disagree, trust neither, and repeat the
        commands below from another network.
      </p>
      <table className="mt-4 w-full text-left text-sm">
        <caption className="sr-only">Checks with different results</caption>
        <thead className="text-soft text-xs">
          <tr>
            <th className="py-1 pr-4 font-normal">Check</th>
            <th className="py-1 pr-4 font-normal">Browser</th>
            <th className="py-1 font-normal">Service</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.about} className="border-line border-t align-top">
              <th scope="row" className="py-1.5 pr-4 font-normal">
                {row.about}
              </th>
              <td className="py-1.5 pr-4 font-medium">{row.browser}</td>
              <td className="py-1.5 font-medium">{row.service}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
