import { Section } from "#web/ui/page-header.tsx";
import { Count } from "#web/ui/text/monospace.tsx";
import { Definition } from "./definition.tsx";
import type { Report } from "./report-rows.ts";

export function RevokeTimes({ revokes }: { readonly revokes: Report["revokes"] }) {
  const { count, medianMs, p95Ms, maxMs, isComplete } = revokes;
  const figures = [
    ["half of them within", medianMs],
    ["95% within", p95Ms],
    ["the longest", maxMs],
  ] as const;
  return (
    <Section title="From revoke to in force" className="">
      {count === 0 ? (
        <p className="font-serif text-lg">No gate was closed in this time.</p>
      ) : (
        <>
          <p className="mb-4">
            <Count value={count} /> {count === 1 ? "revoke" : "revokes"}
            {isComplete ? "." : ", the newest ones; there were more."}
          </p>
          <dl className="grid grid-cols-3 gap-x-8 border-line border-y py-6">
            {figures.map(([name, ms]) => (
              <div key={name} className="flex flex-col-reverse justify-end">
                <dt className="text-sm text-soft">{name}</dt>
                <dd className="font-mono text-xl">{(ms ?? 0).toLocaleString("en")} ms</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <Definition>
        The time from the arrival of a call that closes a gate until it is acknowledged. From then on no prompt with
        that namespace leaves, and no answer made of it is released, on any replica.
      </Definition>
    </Section>
  );
}
