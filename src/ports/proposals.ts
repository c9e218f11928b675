// Facts out of conversations that wait until somebody accepts or declines them.
import type { Decision } from "./records/logs.ts";
import type { Page, PageOf } from "./records/paging.ts";

interface ProposalHead {
  readonly proposalId: string;
  readonly namespace: string;
  /** Whose memory it would be. */
  readonly agentId: string;
  /** Of the extraction. */
  readonly answerId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface WaitingProposal extends ProposalHead {
  /** JSON; its ciphertext when it is encrypted. */
  readonly text: string;
  readonly encrypted: boolean;
}

/** What is left is kept for a while, for whoever did not get the reply. */
export interface DecidedProposal extends ProposalHead {
  /** The id of a caller. */
  readonly decidedBy: string;
  /** Absent: it was declined. */
  readonly memoryId?: string;
}

/** What is left of the proposal is kept until `until`. */
export interface ProposalDecision extends Pick<DecidedProposal, "proposalId" | "decidedBy"> {
  readonly at: string;
  readonly until: string;
}

/** `digest` is a keyed one of what it said, by which the same fact is known again until then. */
export interface Declined extends ProposalDecision {
  readonly digest: string | null;
}

/**
 * A proposal may quote the memories that its extractor was shown: it goes with the first of them that is forgotten, and
 * with the receipt of the extraction. One that is accepted becomes a memory in the same commit (`MemoryRecords.add`).
 */
export interface ProposalRecords {
  /**
   * Adds all of them, or none if a memory that the extractor was shown is gone. Rejects with `limit-reached`, and with
   * `encryption-key-missing` when one is not encrypted and its namespace is.
   */
  add(
    proposals: readonly WaitingProposal[],
    options: { readonly shown: readonly string[]; readonly most: number },
  ): Promise<void>;
  find(proposalId: string): Promise<WaitingProposal | DecidedProposal | undefined>;
  /** Those that wait, newest first. */
  page(page: PageOf<string> & ProposalFilter): Promise<Page<"proposals", WaitingProposal, string>>;
  /** False when it does not wait any more. */
  decline(declined: Declined, decision: Decision | undefined): Promise<boolean>;
  /** Those of the digests whose proposals by this agent were declined. The last thousand are known. */
  declined(agentId: string, digests: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whatever is left out lets all pass. */
  drop(filter: ProposalFilter & { readonly proposalIds?: readonly string[] }): Promise<void>;
  /** Removes those whose time is over. */
  sweep(): Promise<void>;
}

export interface ProposalFilter {
  readonly namespaces?: readonly string[] | undefined;
  readonly agentId?: string | undefined;
  readonly createdBefore?: string | undefined;
}
