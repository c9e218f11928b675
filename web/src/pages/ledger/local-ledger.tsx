// Pages of the local ledger exist only for a service that uses it.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import { visible } from "#core/encoding/visible-text.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { plural } from "#web/lib/strings.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { CopyButton } from "#web/ui/form.tsx";
import { PageHeader, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { Monospace } from "#web/ui/text.tsx";

export const LOCAL_LEDGER_LEDE =
  "A local ledger, not Sui: a log that the operator of this service keeps and can rewrite. It proves nothing to others.";

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
            This service anchors on Sui, network <Monospace>{network}</Monospace>. Look it up in an explorer of Sui.
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

interface EntityHeaderProps {
  readonly title: string;
  readonly id: string;
  readonly idLabel: string;
  readonly actions?: ReactNode;
}

/** The header of the page of one transaction or one object. */
export function EntityHeader({ title, id, idLabel, actions }: EntityHeaderProps) {
  const { mayOpen } = usePermissions();
  return (
    <>
      <p className="mb-4 text-sm">
        {mayOpen("ledger") ? <Link href={pagePath("ledger")}>The local ledger</Link> : "The local ledger"}
      </p>
      <PageHeader
        title={title}
        lede={
          <span className="flex flex-wrap items-center gap-x-2">
            <code className="break-all font-mono text-ink text-sm max-sm:basis-full max-sm:text-xs">{visible(id)}</code>
            <CopyButton text={id} what={idLabel} />
          </span>
        }
        actions={actions}
      />
    </>
  );
}

export const ExecutedMark = ({ isExecuted }: { readonly isExecuted: boolean }) => (
  <StatusMark status={isExecuted ? "pass" : "fail"}>{isExecuted ? "executed" : "failed"}</StatusMark>
);

export type TransactionEntry = Reply<"ledgerTransactions">["transactions"][number];
export type Transaction = Reply<"ledgerTransaction">;
export type LedgerObject = Reply<"ledgerObject">;

/** What a transaction did: "1 receipt anchored, access set 3 times". */
export function summaryOf({ sequence, functions }: Pick<TransactionEntry, "sequence" | "functions">): string {
  if (sequence === 0) return "Genesis: the policy object was created";
  const calls = Object.entries(functions).map(([name, count]) => callsInWords(name, count));
  const [first = "no call of the gate module", ...rest] = calls;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(", ");
}

function callsInWords(name: string, count: number): string {
  if (name === "anchor_receipt") return `${plural(count, "receipt")} anchored`;
  if (name === "anchor_checkpoint") return `${plural(count, "checkpoint")} of the log anchored`;
  if (name === "set_access") return count === 1 ? "access set once" : `access set ${count} times`;
  if (name === "close_version") return `${plural(count, "version")} of the policy closed`;
  if (name === "add_key" || name === "end_key")
    return `${plural(count, "key")} ${name === "add_key" ? "added" : "ended"}`;
  return count === 1 ? name : `${name} × ${count}`;
}

/** The type without the addresses of packages. */
export const shortType = (type: string): string => type.replaceAll(/0x[0-9a-f]+::/g, "");

/** The owner of an object, and who can change it. */
export function ownerText(owner: unknown): string {
  const { $kind, AddressOwner, ObjectOwner } = (owner ?? {}) as Readonly<Record<string, unknown>>;
  const texts = new Map<unknown, string>([
    ["Immutable", "Frozen: no transaction can change or move it any more."],
    ["Shared", "Shared: anyone may use it, within the rules of its module."],
    ["AddressOwner", `Owned by ${String(AddressOwner)}.`],
    ["ObjectOwner", `Part of the object ${String(ObjectOwner)}.`],
  ]);
  return texts.get($kind) ?? "Unknown kind of owner.";
}
