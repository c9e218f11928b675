// What the verdict does not show, with this ledger and this store. It stands directly under the verdict.
import { notShown } from "#core/verify/limits.ts";
import { ledgerSourceOf } from "./browser/sources.ts";
import type { ShownVerification } from "./use-verification.ts";

export function NotShown({ browser: { sources, progress } }: { readonly browser: ShownVerification }) {
  const store = sources.aggregator === "" ? "mock" : "public";
  const points = notShown({ ...progress, ledger: ledgerSourceOf(sources), store });
  return (
    <section aria-labelledby="not-shown" className="mb-10" data-not-shown>
      <h2 id="not-shown" className="font-medium font-serif text-lg">
        What this does not show
      </h2>
      <p className="mt-1 text-sm text-soft">It is not shown that</p>
      <ul className="measure mt-1 flex list-disc flex-col gap-1 pl-5 text-sm">
        {points.map((point) => (
          <li key={point}>{point}.</li>
        ))}
      </ul>
    </section>
  );
}
