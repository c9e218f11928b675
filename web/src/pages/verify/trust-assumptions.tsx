// What the reader of a verification still has to trust.
import { visible } from "#core/encoding/visible-text.ts";
import { notShown } from "#core/verify/labels.ts";
import { ledgerSourceOf, type Sources } from "#verification/sources.ts";
import { parseUrl } from "#web/lib/address.ts";
import type { ShownVerification } from "./use-verification.ts";

export function TrustAssumptions({ sources, packageId }: { readonly sources: Sources; readonly packageId: string }) {
  return (
    <ul className="measure flex list-disc flex-col gap-2 pl-5 text-sm">
      {sources.fullNodes === undefined ? (
        <li>
          <b className="font-medium">The ledger is the service’s own local one.</b> To convince somebody who does not
          trust the operator, anchor on a public network.
        </li>
      ) : (
        <li>
          A full node of Sui says what the object is. Any other full node must return the same: ask one that you trust,
          or run one.
        </li>
      )}
      {packageId !== "" && (
        <li>
          The service says that its receipts belong to the package{" "}
          <code className="break-all font-mono text-xs">{packageId}</code>. Compare it with the one that the operator
          has published, and trust it here.
        </li>
      )}
      {sources.aggregator === "" && (
        <li>
          The blobs come from the service’s mock store. Their ids follow from their bytes, but nobody else keeps them.
        </li>
      )}
      <li>
        The service also sent the code of this page. You can repeat the checks without it: with the commands on this
        page, or on a page <a href="?plain=1">without any script</a> that shows the service’s checks.
      </li>
    </ul>
  );
}

/** What the verdict does not show, with this ledger and this store. It stands directly under the verdict. */
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
    aggregator === ""
      ? "this service’s own mock store"
      : `from ${host(aggregator)}, chosen by the operator. Your browser checks their digests`;
  return (
    <dl className="flex flex-col gap-2 break-words text-sm" data-sources>
      {Object.entries({ Ledger: ledger, Blobs: blobs }).map(([name, source]) => (
        <div key={name}>
          <dt className="eyebrow">{name}</dt>
          <dd>{source}</dd>
        </div>
      ))}
    </dl>
  );
}

const host = (url: string): string => visible(parseUrl(url)?.host ?? url);
