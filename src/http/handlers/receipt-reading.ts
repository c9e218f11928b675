// Reading receipts: an agent reads its own, an auditor all of them without the text of memories.
import type { Query } from "#contract/routes.ts";
import { agentFor } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import { sendBlockedNamespaces } from "#http/answer/name-stream.ts";
import type { Handlers, Value } from "#http/route-handler.ts";
import type { Deps } from "#service/deps.ts";
import { blockedNamespaces } from "#service/receipts/blocked-namespaces.ts";
import { quotedMemories, type ReceiptView, viewReceipt, withNames } from "#service/receipts/receipt-view.ts";
import {
  getReceipt,
  listReceipts,
  type ReceiptEntry,
  type ReceiptQuery,
  withStoredUntil,
} from "#service/receipts/receipts.ts";
import { sendReadable } from "./memory-reading.ts";
import { DEFAULT_PAGE, nextCursor } from "./paging.ts";

export const receiptReading: Pick<Handlers, "listReceipts" | "getReceipt" | "listBlocked"> = {
  async listReceipts(deps, { query, principal, signal }, { response }) {
    const { limit = DEFAULT_PAGE, cursor } = query;
    const filter = filterFor(principal, query);
    const load = async () => {
      const { receipts, next } = await listReceipts(deps, filter, { limit, before: cursor, signal: signal() });
      const views = viewAll(deps, principal, receipts);
      const value: Value<"listReceipts"> = { receipts: views, ...nextCursor(next) };
      return { value, quoted: views.flatMap(quotedMemories) };
    };
    return sendReadable(deps, principal, load, response);
  },

  async getReceipt(deps, { params, principal }, { response }) {
    const load = async () => {
      const entry = await withStoredUntil(deps, await getReceipt(deps, params.answerId, principal));
      const [view] = viewAll(deps, principal, [entry]);
      const value = (await withNames(deps.ledger, view as ReceiptView)) satisfies Value<"getReceipt">;
      return { value, quoted: quotedMemories(value) };
    };
    return sendReadable(deps, principal, load, response);
  },

  listBlocked: async (deps, { params, principal }, { response }) =>
    sendBlockedNamespaces(response, await blockedNamespaces(deps, params.answerId, principal)),
};

/** For an agent the fence has just read the policy, and checks each namespace again if it changes. */
function viewAll(deps: Deps, principal: Principal, entries: readonly ReceiptEntry[]): ReceiptView[] {
  const policy = principal.role === "agent" ? deps.gatekeeper.lastPolicyOf(principal.agentId) : NO_POLICY;
  return entries.map((entry) => viewReceipt(entry, principal, policy));
}

const NO_POLICY = Object.freeze(Object.create(null));

function filterFor(principal: Principal, query: Query<"listReceipts">): ReceiptQuery {
  const { namespace, anchored, verified, status, model, from, to } = query;
  const agentId = principal.role === "agent" ? agentFor(principal, query.agentId) : query.agentId;
  return {
    ...(agentId !== undefined && { agentId }),
    ...(namespace !== undefined && { namespace }),
    ...(anchored !== undefined && { anchored: anchored === "yes" }),
    ...(verified !== undefined && { verified: verified === "yes" }),
    ...(status !== undefined && { status }),
    ...(model !== undefined && { model }),
    from,
    to,
  };
}
