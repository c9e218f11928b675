// The alert for different results of the browser and the service. It is the most important message of the page.
import { HEADLINE } from "#core/verify/labels.ts";
import { StatusIcon } from "#web/ui/status-mark.tsx";
import { disagreements } from "./disagreements.ts";
import type { ServiceVerification, ShownVerification } from "./use-verification.ts";

interface DisagreementAlertProps {
  readonly browser: ShownVerification;
  readonly service: ServiceVerification;
}

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
        {HEADLINE[service.verdict].toLowerCase()}. They may have received different data, at different times or on
        purpose. Check again. If they still disagree, trust neither, and repeat the commands below from another network.
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
