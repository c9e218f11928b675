// What the reader of a verification still has to trust.
import type { Sources } from "./browser/sources.ts";

interface TrustAssumptionsProps {
  readonly sources: Sources;
  readonly packageId: string;
}

export function TrustAssumptions({ sources, packageId }: TrustAssumptionsProps) {
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
          has published, and pin it.
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
