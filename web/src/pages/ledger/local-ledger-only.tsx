// Whose ledger this is, said before anything else.
import type { ReactNode } from "react";
import { useService } from "#web/api/client.ts";
import { PageHeader } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Loading, Skeleton } from "#web/ui/skeleton.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";

export const LOCAL_LEDE =
  "A local chain on one machine, not Sui: a small one that runs inside this service, takes the same signed transactions and keeps the same rules. It is for trying things without a network, and proves nothing to strangers.";

interface OnLocalLedgerProps {
  readonly title: string;
  /** What to look at on Sui in place of this page. */
  readonly elsewhere: { readonly kind: "tx" | "object"; readonly id: string } | undefined;
  readonly children: ReactNode;
}

/** The children when the service's ledger is the local one; otherwise where to look instead. */
export function OnLocalLedger({ title, elsewhere, children }: OnLocalLedgerProps) {
  const { data, error, refetch } = useService();
  if (error !== null) {
    return (
      <>
        <PageHeader title={title} />
        <ProblemNote error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (data === undefined) {
    return (
      <>
        <Loading what="the ledger" />
        <Skeleton className="h-96" />
      </>
    );
  }
  if (data.ledger.network === "local") return children;
  return <OnSui title={title} network={data.ledger.network} elsewhere={elsewhere} />;
}

const PUBLIC_NETWORKS: ReadonlySet<string> = new Set(["mainnet", "testnet", "devnet"]);

type OnSuiProps = Pick<OnLocalLedgerProps, "title" | "elsewhere"> & { readonly network: string };

function OnSui({ title, network, elsewhere }: OnSuiProps) {
  const explorer = PUBLIC_NETWORKS.has(network) ? `https://suiscan.xyz/${network}` : undefined;
  const path = elsewhere === undefined ? "" : `/${elsewhere.kind}/${encodeURIComponent(elsewhere.id)}`;
  return (
    <>
      <PageHeader
        title={title}
        lede={
          <>
            This service anchors on Sui, network <Mono>{network}</Mono>. What is there is kept by the network, and this
            service has no page of its own for it.
          </>
        }
      />
      {explorer === undefined ? (
        <p className="measure">This network has no public explorer. Ask your full node.</p>
      ) : (
        <a href={`${explorer}${path}`} rel="noreferrer">
          {elsewhere === undefined ? `The explorer of ${network}` : `Look at it in the explorer of ${network}`}
        </a>
      )}
    </>
  );
}
