// Names the parts of this service that stand in for real ones: the mock blob store, the local ledger, the built-in
// model.
import { ChevronDown } from "lucide-react";
import type { Reply } from "#contract/routes.ts";
import { useServiceInfo } from "#web/api/queries.ts";

interface StandIn {
  readonly name: string;
  readonly meaning: string;
  /** How to replace it. */
  readonly remedy: string;
}

export function StandInBanner() {
  const { data } = useServiceInfo();
  const standIns = data === undefined ? [] : standInsOf(data);
  return (
    // The height is reserved while the service has not answered yet, so that nothing on the page moves.
    <aside aria-label="About this service" className="min-h-9 print:hidden">
      {standIns.length > 0 && (
        <details className="mx-auto max-w-[96rem] px-4 pt-1.5 text-soft text-xs sm:px-8">
          <summary className="inline-flex min-h-7 list-none flex-wrap items-center gap-x-4 sm:gap-x-5 rounded-sm [&::-webkit-details-marker]:hidden">
            {standIns.map(({ name, meaning }) => (
              <span key={name}>
                {name}
                <span className="sr-only lg:not-sr-only">: {meaning}</span>
              </span>
            ))}
            <span className="inline-flex items-center gap-1">
              <span className="sr-only underline underline-offset-4 lg:not-sr-only">how to change this</span>
              <ChevronDown className="size-4" aria-hidden="true" />
            </span>
          </summary>
          <ul className="measure flex flex-col gap-1 py-2">
            {standIns.map(({ name, meaning, remedy }) => (
              <li key={name}>
                {name}: {meaning}. {remedy}
              </li>
            ))}
          </ul>
        </details>
      )}
    </aside>
  );
}

function standInsOf({ blobs, ledger, model }: Reply<"getService">): StandIn[] {
  const standIns: StandIn[] = [];
  if (blobs.kind === "memory") {
    standIns.push({
      name: "Mock blob store",
      meaning: "blobs are kept in this process",
      remedy: "To use Walrus, set BLOBSTORE_PUBLISHER and BLOBSTORE_AGGREGATOR.",
    });
  }
  if (ledger.network === "local") {
    standIns.push({
      name: "Local ledger",
      meaning: "its operator can rewrite it",
      remedy: "To use Sui, set SUI_NETWORK, SUI_KEYSTORE, SUI_PACKAGE_ID and SUI_GATE_ID.",
    });
  }
  if (model.kind === "extractive") {
    standIns.push({
      name: "Demo model",
      meaning: "quotes memories only",
      remedy: "To use a language model, set MODEL_BASE_URL and MODEL_NAME.",
    });
  }
  return standIns;
}
