// Pages of the local ledger exist only for a service that uses it.
import type { ReactNode } from "react";
import { useServiceInfo } from "#web/api/queries.ts";
import { PageHeader } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";

export const LOCAL_LEDGER_LEDE =
  "This is a local ledger, not Sui: a log that only the operator of this service keeps, and can rewrite. It takes the same signed transactions and applies the same rules. Use it to try things without a network; it proves nothing to others.";

interface LocalLedgerOnlyProps {
  readonly title: string;
  /** What to show in an explorer of Sui instead. */
  readonly target: { readonly kind: "tx" | "object"; readonly id: string } | undefined;
  readonly children: ReactNode;
}

/** Shows the children for a service on the local ledger, and a link to an explorer for a service on Sui. */
export function LocalLedgerOnly({ title, target, children }: LocalLedgerOnlyProps) {
  const { data, error, refetch } = useServiceInfo();
  if (error !== null) {
    return (
      <>
        <PageHeader title={title} />
        <ProblemNote error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (data === undefined) return <Skeleton what="the ledger" className="h-96" />;
  if (data.ledger.network === "local") return children;
  return <SuiExplorerLink title={title} network={data.ledger.network} target={target} />;
}

const PUBLIC_NETWORKS: ReadonlySet<string> = new Set(["mainnet", "testnet", "devnet"]);

type SuiExplorerLinkProps = Pick<LocalLedgerOnlyProps, "title" | "target"> & { readonly network: string };

function SuiExplorerLink({ title, network, target }: SuiExplorerLinkProps) {
  const explorer = PUBLIC_NETWORKS.has(network) ? `https://suiscan.xyz/${network}` : undefined;
  const path = target === undefined ? "" : `/${target.kind}/${encodeURIComponent(target.id)}`;
  return (
    <>
      <PageHeader
        title={title}
        lede={
          <>
            This service anchors on Sui, network <Monospace>{network}</Monospace>. It has no page of its own for what is
            on Sui.
          </>
        }
      />
      {explorer === undefined ? (
        <p className="measure">This network has no public explorer. Ask your full node.</p>
      ) : (
        <a href={`${explorer}${path}`} rel="noreferrer">
          {target === undefined ? `The explorer of ${network}` : `Show it in the explorer of ${network}`}
        </a>
      )}
    </>
  );
}
