// Proposals that wait, and for a day what is left of those that were decided. Their text goes with the decision.

import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import { eventStatements } from "#adapters/records/shared/logs/events.ts";
import { column, cutPage, ifFound } from "#adapters/records/shared/rows.ts";
import type { Database, Statement } from "#adapters/records/shared/sql/database.ts";
import * as sql from "#adapters/records/shared/sql/dialect.ts";
import { PortcullisError } from "#core/errors.ts";
import type { DecidedProposal, Declined, NewEvent, ProposalFilter, ProposalRecords, WaitingProposal } from "#ports.ts";

const COLUMNS = `proposal_id AS "proposalId", namespace, agent_id AS "agentId", answer_id AS "answerId",
  created_at AS "createdAt", expires_at AS "expiresAt", text, encrypted, decided_by AS "decidedBy", memory_id AS "memoryId"`;
/** After every id. */
const LAST = "~";
const MOST_DECLINED = 1_000;

interface Row extends Omit<WaitingProposal, "text"> {
  readonly text: string | null;
  readonly decidedBy: string | null;
  readonly memoryId: string | null;
}

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
const LOCK_WAITING = sql.statement`
  SELECT ${COLUMNS} FROM proposals
  WHERE tenant = $tenant AND ${sql.among("proposal_id", "$1")} AND text IS NOT NULL AND ${sql.IS_CURRENT} ${sql.FOR_UPDATE}`;

export const proposalStatements = {
  /** Comes after the statements that remove the memories. */
  dropOfMemories: (memoryIds: readonly string[]): Statement => DROP_OF_MEMORIES(memoryIds),
  dropOfAnswers: (answerIds: readonly string[]): Statement => DROP_OF_ANSWERS(answerIds),
  dropAll: sql.statement`DELETE FROM proposals WHERE tenant = $tenant`,
  /** Those that are not encrypted, of a namespace that is now. */
  dropPlain: (namespace: string): Statement => DROP_PLAIN(namespace),
  /** Those that wait. Nobody else decides on them until the transaction ends. */
  lockWaiting: (proposalIds: readonly string[]): Statement => LOCK_WAITING(proposalIds),
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

const recordTexts = {
  insert: sql.insertRows<WaitingProposal>(
    "proposals",
    "proposalId namespace agentId answerId createdAt expiresAt text encrypted:boolean",
  ),
  LOOK: `
    SELECT (SELECT count(*) FROM proposals WHERE tenant = $tenant AND text IS NOT NULL AND ${sql.IS_CURRENT}) AS waiting,
      ${foundIn("memories")} + ${foundIn("superseded_memories")} AS found,
      (SELECT count(*) FROM namespaces WHERE tenant = $tenant AND encrypted AND ${sql.among("name", "$2")}) AS exposed`,
  FIND: `SELECT ${COLUMNS} FROM proposals WHERE tenant = $tenant AND proposal_id = $1 AND ${sql.IS_CURRENT}`,
  PAGE: `
    SELECT ${COLUMNS} FROM proposals WHERE ${filtered} AND text IS NOT NULL AND ${sql.IS_CURRENT} AND proposal_id < $5
    ORDER BY proposal_id DESC LIMIT $6`,
  DROP: `DELETE FROM proposals WHERE ${filtered}`,
  DROP_THESE: `DELETE FROM proposals WHERE tenant = $tenant AND ${sql.among("proposal_id", "$1")}`,
  DECLINED: `
    SELECT declined FROM proposals
    WHERE tenant = $tenant AND agent_id = $1 AND ${sql.among("declined", "$2")} AND ${sql.IS_CURRENT}`,
  /** The oldest of those that were declined: more than so many are not known. */
  PRUNE: `
    DELETE FROM proposals WHERE tenant = $tenant AND declined IS NOT NULL AND proposal_id <= (
      SELECT proposal_id FROM proposals WHERE tenant = $tenant AND declined IS NOT NULL
      ORDER BY proposal_id DESC LIMIT 1 OFFSET $1)`,
  SWEEP: `DELETE FROM proposals WHERE tenant = $tenant AND expires_at <= ${sql.NOW}`,
};

export function proposalRecords(
  { rows, row, reserve, readThenWrite }: Database,
  { onForgotten }: { readonly onForgotten: () => void },
): ProposalRecords {
  const { lockWaiting, decide } = proposalStatements;
  const { insert, LOOK, FIND, PAGE, DROP, DROP_THESE, DECLINED, PRUNE, SWEEP } = recordTexts;
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
      const reads = [sql.LOCK_MEMORIES, { text: LOOK, values: [shown, open] }];
      const refused = await readThenWrite(reads, (results) => {
        const [looked] = results.at(-1) as [{ waiting: number; found: number; exposed: number }];
        const outcome =
          looked.exposed > 0 ? notEncrypted() : looked.waiting + proposals.length > most ? tooMany() : undefined;
        const happened = proposals.map((each) => proposalEvent("proposal-waiting", each, each.createdAt));
        const isAdded = outcome === undefined && looked.found === shown.length;
        return { statements: isAdded ? [...insert(proposals), ...eventStatements.add(happened)] : [], outcome };
      });
      if (refused !== undefined) throw refused;
    },
    find: (proposalId) => row<Row>({ text: FIND, values: [proposalId] }).then(ifFound(toProposal)),
    async page({ before = LAST, limit, ...wanted }) {
      const found = await rows<Row>({ text: PAGE, values: [...filter(wanted), before, limit + 1] });
      const { page, more } = cutPage(found, limit, ({ proposalId }) => proposalId);
      return { proposals: page.map(toProposal) as WaitingProposal[], ...more };
    },
    async decline(declined, decision) {
      const isDeclined = await reserve.readThenWrite([lockWaiting([declined.proposalId])], ([found = []]) => {
        const [proposal] = found as Row[];
        if (proposal === undefined) return { statements: [], outcome: false };
        const statements = [
          ...decide([{ ...declined, memoryId: null }]),
          { text: PRUNE, values: [MOST_DECLINED] },
          ...decisionStatements.add([decision]),
          ...eventStatements.add([proposalEvent("proposal-declined", proposal, declined.at)]),
        ];
        return { statements, outcome: true };
      });
      if (isDeclined) onForgotten();
      return isDeclined;
    },
    declined: async (agentId, digests) =>
      new Set(await column<string>(rows({ text: DECLINED, values: [agentId, digests] }))),
    async drop({ proposalIds, ...wanted }) {
      const these = { text: DROP_THESE, values: [proposalIds] };
      await reserve.write(proposalIds === undefined ? { text: DROP, values: filter(wanted) } : these);
      onForgotten();
    },
    sweep: () => reserve.write({ text: SWEEP, values: [] }),
  };
}

const notEncrypted = () =>
  new PortcullisError("encryption-key-missing", "The namespace is encrypted, and the key to encrypt with is not set.");
const tooMany = () =>
  new PortcullisError("limit-reached", "As many proposals wait as may wait. Accept or decline some of them first.");
