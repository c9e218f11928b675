// What the verdict does not show, and whom the reader still has to trust.
import { visible } from "#core/encoding/visible-text.ts";
import { notShown } from "#core/verify/labels.ts";
import { ledgerSourceOf, type Sources } from "#verification/sources.ts";
import { parseUrl } from "#web/lib/address.ts";
import { Facts } from "#web/ui/text.tsx";
import type { ShownVerification } from "./use-verification.ts";

/** What the verdict does not show, with this ledger and this store: what matters most comes first. */
export const limitsOf = ({ sources, progress }: ShownVerification): readonly string[] =>
  notShown({
    ...progress,
    ledger: ledgerSourceOf(sources),
    store: sources.aggregator === "" ? "mock" : "public",
  });

const CHOSEN_BY = {
  page: "chosen by this page, not by the operator",
  reader: "chosen by you",
  operator: "chosen by the operator",
} as const;

/** Whom this browser asked, and who chose them. */
export function SourceList({ sources: { network, fullNodes, aggregator } }: { readonly sources: Sources }) {
  const ledger =
    fullNodes === undefined
      ? "local, kept by this service"
      : `Sui, ${visible(network)}, from ${fullNodes.urls.map(host).join(", ")}, ${CHOSEN_BY[fullNodes.chosenBy]}`;
  const blobs =
    aggregator === "" ? "this service’s own mock store" : `from ${host(aggregator)}, chosen by the operator`;
  return (
    <div data-sources className="measure flex flex-col gap-3 text-sm">
      <Facts className="grid-cols-[5rem_minmax(0,1fr)] break-words" rows={{ Ledger: ledger, Blobs: blobs }} />
      <p>
        The service also sent the code of this page. Repeat the checks with their commands, or on a page{" "}
        <a href="?plain=1">without any script</a>.
      </p>
    </div>
  );
}

const host = (url: string): string => visible(parseUrl(url)?.host ?? url);
