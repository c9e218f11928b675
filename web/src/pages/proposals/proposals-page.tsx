// /proposals: facts out of conversations that wait for a decision, each beside the memory that it contradicts.

import { useState } from "react";
import type { Reply } from "#contract/routes.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { resetCursorPages, useCursorPages } from "#web/api/use-cursor-pages.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { Button, TextArea } from "#web/ui/form.tsx";
import { AgentLink, MemoryText, NamespaceLink } from "#web/ui/links.tsx";
import { ListEnd } from "#web/ui/list.tsx";
import { EmptyState, PageHeader, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Timestamp } from "#web/ui/text.tsx";

const PAGE_SIZE = 20;

export default function ProposalsPage() {
  const pages = useCursorPages({
    queryKey: queryKeys.proposals,
    fetchPage: (page, signal) => client.listProposals(page, { signal }),
    pageSize: PAGE_SIZE,
  });
  return (
    <>
      <PageHeader title="Proposals" lede="Facts out of conversations. No agent is given one before it is accepted." />
      {pages.isPending && <Skeleton what="the proposals" className="h-72" />}
      {pages.isEmpty && <EmptyState title="Nothing waits for a decision." />}
      <ul aria-label="Proposals, newest first" className="flex flex-col gap-3 empty:hidden">
        {pages.items.map((proposal) => (
          <li key={proposal.proposalId} className="rounded-lg border border-line bg-card px-5 py-4">
            <Proposal proposal={proposal} />
          </li>
        ))}
      </ul>
      <ListEnd pages={pages} more="Show older proposals" />
    </>
  );
}

function Proposal({ proposal }: { readonly proposal: Reply<"listProposals">["proposals"][number] }) {
  const { proposalId, namespace, agentId, confidence, supersedes, createdAt } = proposal;
  const [content, setContent] = useState(proposal.content);
  const params = { proposalId };
  const body = content === proposal.content ? {} : { content };
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (isAccepted: boolean) =>
      void (await (isAccepted ? client.acceptProposal(params, body) : client.declineProposal(params))),
    onSuccess() {
      // The button is gone with the proposal.
      document.querySelector("h1")?.focus();
      resetCursorPages(queryKeys.proposals);
      invalidate("memories", "overview");
    },
  });
  return (
    <>
      <p className="flex flex-wrap gap-x-2 text-soft text-xs">
        <NamespaceLink name={namespace} className="font-medium text-ink" />
        <span>
          from <AgentLink agentId={agentId} />
        </span>
        <span>{Math.round(100 * confidence)} % sure</span>
        <span className="ml-auto">
          <Timestamp at={createdAt} />
        </span>
      </p>
      <div className="mt-2 grid gap-x-8 gap-y-3 md:grid-cols-2">
        <TextArea label="Proposed" rows={2} maxLength={LIMITS.content} value={content} onChange={setContent} />
        {supersedes !== undefined && (
          <div>
            <p className="mb-1 font-medium text-sm">In place of</p>
            <MemoryText
              memoryId={supersedes.memoryId}
              text={supersedes.content}
              className="rounded-md bg-unknown-wash px-3 py-2.5"
            />
          </div>
        )}
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button look="primary" busy={isPending} disabled={content.trim() === ""} onClick={() => mutate(true)}>
          {content === proposal.content ? "Accept" : "Accept as edited"}
        </Button>
        <Button busy={isPending} onClick={() => mutate(false)}>
          Decline
        </Button>
        <AsCode route="acceptProposal" input={{ params, body }} />
      </div>
      {error !== null && <ProblemNote error={error} />}
    </>
  );
}
