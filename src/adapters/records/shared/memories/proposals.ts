// Proposals that wait, and for a day what is left of those that were decided. Their text goes with the decision.
import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import { eventStatements } from "#adapters/records/shared/logs/events.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import { PortcullisError } from "#core/errors.ts";
import type { DecidedProposal, Declined, NewEvent, ProposalFilter, ProposalRecords, WaitingProposal } from "#ports.ts";

const COLUMNS = sql.columns(
  "proposalId namespace agentId answerId createdAt expiresAt text encrypted decidedBy memoryId",
);
/** After every id. */
const LAST = "~";
const MOST_DECLINED = 1_000;

type Row = sql.Stored<
  Omit<WaitingProposal, "text"> & Partial<Pick<WaitingProposal, "text"> & Pick<DecidedProposal, "memoryId">>
> &
  Record<"decidedBy", string | null>;

function toProposal({ text, encrypted, decidedBy, memoryId, ...head }: Row): WaitingProposal | DecidedProposal {
  if (text !== null) return { ...head, text, encrypted: Boolean(encrypted) };
  return { ...head, decidedBy: decidedBy ?? "", ...(memoryId !== null && { memoryId }) };
}

type Decided = Declined & { readonly memoryId: string | null };

const IS_SHOWN = `
  (text IS NOT NULL OR declined IS NOT NULL) AND EXISTS (SELECT 1 FROM memory_uses WHERE memory_uses.tenant = $tenant
    AND ${sql.among("memory_uses.memory_id", "$1")} AND memory_uses.answer_id = proposals.answer_id)`;
const DROP_OF_MEMORIES = sql.statement`DELETE FROM proposals WHERE tenant = $tenant AND ${IS_SHOWN}`;
const DROP_OF_ANSWERS = sql.statement`DELETE FROM proposals WHERE tenant = $tenant AND ${sql.among("answer_id", "$1")}`;
const DROP_PLAIN = sql.statement`DELETE FROM proposals WHERE tenant = $tenant AND namespace = $1 AND NOT encrypted`;
const LOCK_WAITING = sql.statement<WaitingProposal>`
  SELECT ${COLUMNS} FROM proposals
  WHERE tenant = $tenant AND ${sql.among("proposal_id", "$1")} AND text IS NOT NULL AND ${sql.IS_CURRENT} ${sql.FOR_UPDATE}`;

export const proposalStatements = {
  /** Comes after the statements that remove the memories. */
  dropOfMemories: (memoryIds: readonly string[]): sql.Statement => DROP_OF_MEMORIES(memoryIds),
  dropOfAnswers: (answerIds: readonly string[]): sql.Statement => DROP_OF_ANSWERS(answerIds),
  dropAll: sql.statement`DELETE FROM proposals WHERE tenant = $tenant`,
  /** Those that are not encrypted, of a namespace that is now. */
  dropPlain: (namespace: string): sql.Statement => DROP_PLAIN(namespace),
  /** Those that wait. Nobody else decides on them until the transaction ends. */
  lockWaiting: (proposalIds: readonly string[]) => LOCK_WAITING(proposalIds),
  decide: sql.forRows<Decided>(
    "proposalId decidedBy until memoryId digest",
    (given) => `
      UPDATE proposals SET text = NULL, decided_by = "decidedBy", expires_at = "until", memory_id = "memoryId",
        declined = "digest" FROM ${given}
      WHERE tenant = $tenant AND proposal_id = "proposalId"`,
  ),
};

export const proposalEvent = (
  kind: "proposal-waiting" | "proposal-accepted" | "proposal-declined",
  { proposalId, namespace, agentId }: Pick<WaitingProposal, "proposalId" | "namespace" | "agentId">,
  at: string,
): NewEvent => ({ at, kind, proposalId, namespace, agentId });

export const alreadyDecided = () =>
  new PortcullisError("already-decided", "Somebody has decided on this proposal, or its time is over.");

const foundIn = (table: string) =>
  `(SELECT count(*) FROM ${table} WHERE tenant = $tenant AND ${sql.among("memory_id", "$1")})`;
const filtered = `
  tenant = $tenant AND (CAST($2 AS text) IS NULL OR ${sql.among("namespace", "$1")})
    AND (CAST($3 AS text) IS NULL OR agent_id = $3) AND (CAST($4 AS text) IS NULL OR created_at < $4)`;

const insert = sql.insertRows<WaitingProposal>(
  "proposals",
  "proposalId namespace agentId answerId createdAt expiresAt text encrypted:boolean",
);
const LOOK = sql.statement<{ waiting: number; found: number; exposed: number }>`
  SELECT (SELECT count(*) FROM proposals WHERE tenant = $tenant AND text IS NOT NULL AND ${sql.IS_CURRENT}) AS waiting,
    ${foundIn("memories")} + ${foundIn("superseded_memories")} AS found,
    (SELECT count(*) FROM namespaces WHERE tenant = $tenant AND encrypted AND ${sql.among("name", "$2")}) AS exposed`;
const FIND = sql.reading(toProposal)`
  SELECT ${COLUMNS} FROM proposals WHERE tenant = $tenant AND proposal_id = $1 AND ${sql.IS_CURRENT}`;
const PAGE = sql.reading(toProposal)`
  SELECT ${COLUMNS} FROM proposals WHERE ${filtered} AND text IS NOT NULL AND ${sql.IS_CURRENT} AND proposal_id < $5
  ORDER BY proposal_id DESC LIMIT $6`;
const DROP = sql.statement`DELETE FROM proposals WHERE ${filtered}`;
const DROP_THESE = sql.statement`DELETE FROM proposals WHERE tenant = $tenant AND ${sql.among("proposal_id", "$1")}`;
const DECLINED = sql.value<string>`
  SELECT declined FROM proposals
  WHERE tenant = $tenant AND agent_id = $1 AND ${sql.among("declined", "$2")} AND ${sql.IS_CURRENT}`;
/** The oldest of those that were declined: more than so many are not known. */
const PRUNE = sql.statement`
  DELETE FROM proposals WHERE tenant = $tenant AND declined IS NOT NULL AND proposal_id <= (
    SELECT proposal_id FROM proposals WHERE tenant = $tenant AND declined IS NOT NULL
    ORDER BY proposal_id DESC LIMIT 1 OFFSET ${MOST_DECLINED})`;
const SWEEP = sql.statement`DELETE FROM proposals WHERE tenant = $tenant AND expires_at <= ${sql.NOW}`;

export function proposalRecords(
  { rows, row, reserve, readThenWrite }: sql.Database,
  { onForgotten }: { readonly onForgotten: () => void },
): ProposalRecords {
  const { lockWaiting, decide } = proposalStatements;
  const filter = ({ namespaces, agentId, createdBefore }: ProposalFilter) => [
    namespaces ?? [],
    namespaces === undefined ? null : "",
    agentId ?? null,
    createdBefore ?? null,
  ];
  return {
    async add(proposals, { shown, most }) {
      const open = proposals.filter(({ encrypted }) => !encrypted).map(({ namespace }) => namespace);
      // Nothing is forgotten, and no namespace is encrypted, until they are on record.
      const refused = await readThenWrite([sql.LOCK_MEMORIES, LOOK(shown, open)], ([, [looked]]) => {
        const { waiting = 0, found = 0, exposed = 0 } = looked ?? {};
        const outcome = exposed > 0 ? notEncrypted() : waiting + proposals.length > most ? tooMany() : undefined;
        const happened = proposals.map((each) => proposalEvent("proposal-waiting", each, each.createdAt));
        const isAdded = outcome === undefined && found === shown.length;
        return { statements: isAdded ? [...insert(proposals), ...eventStatements.add(happened)] : [], outcome };
      });
      if (refused !== undefined) throw refused;
    },
    find: (proposalId) => row(FIND(proposalId)),
    page: ({ before = LAST, limit, ...wanted }) => {
      const found = rows(PAGE(...filter(wanted), before, limit + 1)) as Promise<WaitingProposal[]>;
      return sql.pageOf("proposals", found, limit, ({ proposalId }) => proposalId);
    },
    async decline(declined, decision) {
      const isDeclined = await reserve.readThenWrite([lockWaiting([declined.proposalId])], ([[proposal]]) => {
        if (proposal === undefined) return { statements: [], outcome: false };
        const statements = [
          ...decide([{ ...declined, memoryId: null }]),
          PRUNE(),
          ...decisionStatements.add([decision]),
          ...eventStatements.add([proposalEvent("proposal-declined", proposal, declined.at)]),
        ];
        return { statements, outcome: true };
      });
      if (isDeclined) onForgotten();
      return isDeclined;
    },
    declined: async (agentId, digests) => new Set(await rows(DECLINED(agentId, digests))),
    async drop({ proposalIds, ...wanted }) {
      await reserve.write(proposalIds === undefined ? DROP(...filter(wanted)) : DROP_THESE(proposalIds));
      onForgotten();
    },
    sweep: () => reserve.write(SWEEP()),
  };
}

const notEncrypted = () =>
  new PortcullisError("encryption-key-missing", "The namespace is encrypted, and the key to encrypt with is not set.");
const tooMany = () =>
  new PortcullisError("limit-reached", "As many proposals wait as may wait. Accept or decline some of them first.");
