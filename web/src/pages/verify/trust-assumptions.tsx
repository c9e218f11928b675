// What a verdict on this page shows, and what it leaves to be believed.
import type { Where } from "./browser/verify-in-browser.ts";

export function Worth({ where, packageId }: { readonly where: Where; readonly packageId: string }) {
  return (
    <ul className="measure flex list-disc flex-col gap-2 pl-5 text-sm">
      {where.url === undefined ? (
        <li>
          <b className="font-medium">The ledger is the service’s own local one</b>, on one machine, not Sui. The checks
          show that its records agree with each other. To convince somebody who does not trust the operator, anchor on a
          public network.
        </li>
      ) : (
        <li>
          The object comes from a full node of Sui, which your browser asked itself. Another node must say the same.
        </li>
      )}
      {packageId !== "" && (
        <li>
          Which package’s receipts count is this service’s word:{" "}
          <code className="break-all font-mono text-xs">{packageId}</code>. Compare it with the one its operator has
          published.
        </li>
      )}
      {where.aggregator === "" && (
        <li>
          The blobs come from the service’s mock store. Their ids follow from their bytes, but nobody else keeps them.
        </li>
      )}
      <li>
        The code that ran these checks came from the service as well. The commands on this page need none of it; a page{" "}
        <a href="?plain=1">without any script</a> shows the service’s checks.
      </li>
    </ul>
  );
}
