// What a verified receipt shows, beside what it does not, with this service's ledger and blob store.
import { Check, Minus } from "lucide-react";
import type { Reply } from "#contract/routes.ts";
import { notShown, shown } from "#core/verify/limits.ts";
import { ledgerSourceOf, sourcesOf } from "#web/pages/verify/browser/sources.ts";

export function ShownAndNotShown({ service }: { readonly service: Reply<"getService"> }) {
  const ledger = ledgerSourceOf(sourcesOf(service, undefined));
  const store = service.blobs.kind === "memory" ? "mock" : "public";
  return (
    <div className="mt-12 grid gap-x-14 gap-y-10 lg:grid-cols-2">
      <Points title="What a verified receipt shows" begin="It shows that" points={shown({ ledger, store })} isShown />
      <Points title="What it does not show" begin="It does not show that" points={notShown({ ledger, store })} />
    </div>
  );
}

interface PointsProps {
  readonly title: string;
  readonly begin: string;
  readonly points: readonly string[];
  readonly isShown?: boolean;
}

function Points({ title, begin, points, isShown = false }: PointsProps) {
  const Icon = isShown ? Check : Minus;
  return (
    <section>
      <h2 className="font-medium font-serif text-xl">{title}</h2>
      <p className="mt-1 text-sm text-soft">{begin}</p>
      <ul className="mt-3 flex flex-col gap-3 text-sm">
        {points.map((point) => (
          <li key={point} className="measure flex items-start gap-2.5">
            <Icon className={`mt-0.5 size-4 flex-none ${isShown ? "text-pass" : "text-soft"}`} aria-hidden="true" />
            <span>{point}.</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
