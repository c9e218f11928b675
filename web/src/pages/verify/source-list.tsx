// Whom this browser asked, and who chose them.
import { visible } from "#core/encoding/visible-text.ts";
import { parseUrl } from "#web/lib/parse-url.ts";
import type { Sources } from "./browser/sources.ts";

const CHOSEN_BY = {
  page: "chosen by this page, not by the operator",
  reader: "chosen by you",
  operator: "chosen by the operator",
} as const;

export function SourceList({ sources: { network, fullNodes, aggregator } }: { readonly sources: Sources }) {
  return (
    <dl className="flex flex-col gap-2 text-sm" data-sources>
      <div>
        <dt className="eyebrow">Ledger</dt>
        <dd>
          {fullNodes === undefined ? (
            "local, kept by this service"
          ) : (
            <>
              Sui, {visible(network)}, from{" "}
              <b className="break-all font-medium">{fullNodes.urls.map(host).join(", ")}</b>,{" "}
              {CHOSEN_BY[fullNodes.chosenBy]}
            </>
          )}
        </dd>
      </div>
      <div>
        <dt className="eyebrow">Blobs</dt>
        <dd>
          {aggregator === "" ? (
            "this service’s own mock store"
          ) : (
            <>
              from <b className="break-all font-medium">{host(aggregator)}</b>, chosen by the operator. Digests bind
              what it returns
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}

const host = (url: string): string => visible(parseUrl(url)?.host ?? url);
