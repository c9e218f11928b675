// The service's own verdict, beside the browser's. When they differ, that is the most important thing on the page.

import { visible } from "#core/encoding/visible-text.ts";
import { HEADLINE } from "#core/verify/labels.ts";
import { Button } from "#web/ui/button.tsx";
import { Mark, Shape } from "#web/ui/mark.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { disagreements } from "./agreement.ts";
import { ComparedValues } from "./compared.tsx";
import type { Look } from "./look/run.ts";
import type { useServiceWord, Verification } from "./use-verification.ts";

const STATUS = { verified: "pass", failed: "fail", unknown: "unknown" } as const;

export function Disagreement({ look, service }: { readonly look: Look; readonly service: Verification }) {
  if (look.progress.verdict === undefined) return null;
  const differing = disagreements(look.progress.checks, service.checks);
  if (differing.length === 0) return null;
  return (
    <div role="alert" className="mb-10 rounded-lg border-2 border-fail bg-card px-5 py-5 sm:px-8">
      <h2 className="flex items-center gap-3 font-medium font-serif text-xl">
        <Shape status="fail" className="size-7" />
        Your browser and the service do not agree
      </h2>
      <p className="measure mt-2">
        Your browser says {HEADLINE[look.progress.verdict].toLowerCase()}, the service says{" "}
        {HEADLINE[service.verdict].toLowerCase()}. They may have been answered differently, at different times or on
        purpose. Check again; if it stays so, believe neither and repeat the commands below from another network.
      </p>
      <table className="mt-4 w-full text-left text-sm">
        <caption className="sr-only">Checks on which they differ</caption>
        <thead className="text-soft text-xs">
          <tr>
            <th className="py-1 pr-4 font-normal">Check</th>
            <th className="py-1 pr-4 font-normal">Browser</th>
            <th className="py-1 font-normal">Service</th>
          </tr>
        </thead>
        <tbody>
          {differing.map(({ about, browser, service: word }) => (
            <tr key={about} className="border-line border-t align-top">
              <th scope="row" className="py-1.5 pr-4 font-normal">
                {about}
              </th>
              <td className="py-1.5 pr-4 font-medium">{browser}</td>
              <td className="py-1.5 font-medium">{word}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type ServiceWordProps = Pick<ReturnType<typeof useServiceWord>, "verification" | "error" | "deep">;

export function ServiceWord({ verification, error, deep }: ServiceWordProps) {
  const ids = verification?.checks.filter(({ name }) => name === "id") ?? [];
  return (
    <div className="flex flex-col items-start gap-3">
      {verification === undefined && error === null && <Skeleton className="h-6 w-40" />}
      {error !== null && <ProblemNote error={error} />}
      {verification !== undefined && (
        <p className="flex items-center gap-2.5">
          <Shape status={STATUS[verification.verdict]} className="shape size-5" />
          <span data-service-verdict={verification.verdict}>
            The service says <b className="font-medium">{HEADLINE[verification.verdict].toLowerCase()}</b>.
          </span>
        </p>
      )}
      <p className="text-sm text-soft">It is judging itself here. What counts is what your browser found.</p>
      {ids.length === 0 ? (
        <>
          <Button className="no-print" busy={deep.isPending} onClick={() => deep.mutate()}>
            {deep.isPending ? "Deriving blob ids …" : "Ask it for a deep check"}
          </Button>
          <p className="no-print text-soft text-xs">
            Deep: the service also derives each blob’s id from its bytes, so that not even the blob store has to be
            trusted. It takes seconds for each blob, and is the service’s word.
          </p>
          {deep.error !== null && <ProblemNote error={deep.error} />}
        </>
      ) : (
        <ul className="flex w-full flex-col gap-3" aria-label="Deep check, by the service">
          {ids.map(({ status, sentence, compared }) => (
            <li key={compared?.expected ?? sentence}>
              <Mark status={status}>{visible(sentence)}</Mark>
              {compared && <ComparedValues {...compared} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
