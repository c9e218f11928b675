// What is not the real thing here, said plainly and without shouting.
import { ChevronDown } from "lucide-react";
import type { Reply } from "#contract/routes.ts";
import { useService } from "#web/api/client.ts";

interface StandIn {
  readonly what: string;
  readonly means: string;
  readonly instead: string;
}

export function Banner() {
  const { data } = useService();
  const notes = data === undefined ? [] : standIns(data);
  return (
    // As high before the service has told as after: nothing on the page moves.
    <aside aria-label="About this service" className="min-h-9 print:hidden">
      {notes.length > 0 && (
        <details className="mx-auto max-w-[96rem] px-4 pt-1.5 text-soft text-xs sm:px-8">
          <summary className="inline-flex min-h-7 list-none flex-wrap items-center gap-x-4 sm:gap-x-5 rounded-sm [&::-webkit-details-marker]:hidden">
            {notes.map(({ what, means }) => (
              <span key={what}>
                {what}
                <span className="sr-only md:not-sr-only">: {means}</span>
              </span>
            ))}
            <span className="inline-flex items-center gap-1">
              <span className="sr-only underline underline-offset-4 md:not-sr-only">what to set</span>
              <ChevronDown className="size-4" aria-hidden="true" />
            </span>
          </summary>
          <ul className="measure flex flex-col gap-1 py-2">
            {notes.map(({ what, means, instead }) => (
              <li key={what}>
                {what}: {means}. {instead}
              </li>
            ))}
          </ul>
        </details>
      )}
    </aside>
  );
}

function standIns({ blobs, ledger, model }: Reply<"getService">): StandIn[] {
  const notes: StandIn[] = [];
  if (blobs.kind === "memory") {
    notes.push({
      what: "Mock blob store",
      means: "blobs live in this process",
      instead: "For a real one set BLOBSTORE_PUBLISHER and BLOBSTORE_AGGREGATOR.",
    });
  }
  if (ledger.network === "local") {
    notes.push({
      what: "Local ledger",
      means: "a chain of one, on this machine",
      instead: "For Sui set SUI_NETWORK, SUI_KEYSTORE, SUI_PACKAGE_ID and SUI_GATE_ID.",
    });
  }
  if (model.kind === "extractive") {
    notes.push({
      what: "Built-in model",
      means: "it quotes, it does not think",
      instead: "For one that does set MODEL_BASE_URL and MODEL_NAME.",
    });
  }
  return notes;
}
