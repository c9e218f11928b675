// A small Sui in this process: the SDK's own transport class, over a ledger that executes one module. It takes the
// bytes that a full node would take and answers as one would, so the adapter cannot tell them apart.
import { setTimeout as delay } from "node:timers/promises";
import { ObjectError, type SuiClientTypes, TransactionError } from "@mysten/sui/client";
import type { TransactionPlugin } from "@mysten/sui/transactions";
import { isValidSuiAddress, normalizeStructTag, normalizeSuiAddress } from "@mysten/sui/utils";
import { type Chain, openChain, type TransactionLog } from "#adapters/ledger/local/chain/chain.ts";
import { FIRST_VERSION, type GateIds, type Genesis, genesisOf } from "#adapters/ledger/local/chain/genesis.ts";
import type { Executed } from "#adapters/ledger/local/execution/effects.ts";
import { cancellation, refusal } from "#adapters/ledger/local/execution/failure.ts";
import { refuseWrongSignatures } from "#adapters/ledger/local/execution/signatures.ts";
import {
  type ReadTransaction,
  readTransaction,
  refuseExpired,
  refuseWhatIsTooLarge,
} from "#adapters/ledger/local/execution/transaction.ts";
import { BareClient } from "./bare-client.ts";
import {
  type DescribedObject,
  type DescribedTransaction,
  describeObject,
  describeTransaction,
  summarize,
  type TransactionSummary,
} from "./describe.ts";
import { pageOfIds } from "./paging.ts";
import { eventPage, transactionPage } from "./queries.ts";
import { resolvePlugin } from "./resolve.ts";
import { fieldView, objectView, transactionView } from "./results.ts";

export interface LocalSuiOptions {
  readonly log: TransactionLog;
  /** The address that holds both capabilities from the beginning. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** An answer is held back for so long after its transaction has executed. Others go on meanwhile. */
  readonly finalityMs?: number;
  /** More than one only where a test needs the capability of another gate. */
  readonly gates?: number;
}

/** Ready, with everything replayed that is on record. */
export async function createLocalSui(options: LocalSuiOptions): Promise<LocalSui> {
  const { log, owner, clock = Date.now, finalityMs = 0, gates = 1 } = options;
  const genesis = genesisOf(normalizeSuiAddress(owner), gates);
  return new LocalSui(await openChain({ log, genesis, now: clock }), genesis, finalityMs);
}

export class LocalSui extends BareClient {
  readonly packageId: string;
  readonly gateId: string;
  readonly policyCapId: string;
  readonly anchorCapId: string;
  readonly initialSharedVersion = String(FIRST_VERSION);
  /** All of them; the first is the one above. */
  readonly gates: readonly GateIds[];
  readonly #chain: Chain;
  readonly #genesis: Genesis;
  readonly #finalityMs: number;
  /** Until when an answer is held back. */
  readonly #finalAt = new WeakMap<Executed, number>();

  constructor(chain: Chain, genesis: Genesis, finalityMs: number) {
    super();
    this.#chain = chain;
    this.#genesis = genesis;
    this.#finalityMs = finalityMs;
    this.packageId = genesis.packageId;
    this.gates = genesis.gates;
    const [first] = genesis.gates;
    if (first === undefined) throw new Error("a ledger has at least one gate");
    this.gateId = first.gateId;
    this.policyCapId = first.policyCapId;
    this.anchorCapId = first.anchorCapId;
  }

  async executeTransaction<Include extends SuiClientTypes.TransactionInclude = object>(
    options: SuiClientTypes.ExecuteTransactionOptions<Include>,
  ): Promise<SuiClientTypes.TransactionResult<Include>> {
    const { signatures, include, signal } = options;
    // A copy, because the bytes are kept, and the caller may write over theirs.
    const transaction = this.#read(Uint8Array.from(options.transaction), signatures);
    await refuseWrongSignatures(transaction, signatures);
    const executed = await this.#chain.submit(transaction, [...signatures], signal);
    await this.#final(executed, signal);
    return transactionView<Include>(executed, this.#genesis, { include, isCheckpointed: false });
  }

  async simulateTransaction<Include extends SuiClientTypes.SimulateTransactionInclude = object>(
    options: SuiClientTypes.SimulateTransactionOptions<Include>,
  ): Promise<SuiClientTypes.SimulateTransactionResult<Include>> {
    const { transaction, include } = options;
    const bytes = transaction instanceof Uint8Array ? transaction : await transaction.build({ client: this });
    await this.catchUp();
    const executed = this.#chain.simulate(this.#read(bytes, []));
    const result = transactionView<Include>(executed, this.#genesis, { include, isCheckpointed: false });
    const none = executed.functions.map(() => ({ returnValues: [], mutatedReferences: [] }));
    const commandResults = include?.commandResults ? none : undefined;
    return { ...result, commandResults } as SuiClientTypes.SimulateTransactionResult<Include>;
  }

  async getTransaction<Include extends SuiClientTypes.TransactionInclude = object>(
    options: SuiClientTypes.GetTransactionOptions<Include>,
  ): Promise<SuiClientTypes.TransactionResult<Include>> {
    await this.catchUp();
    const { digest, include } = options;
    const executed = this.#chain.find(digest);
    if (executed === undefined) throw new TransactionError("notFound", digest);
    return transactionView<Include>(executed, this.#genesis, { include, isCheckpointed: true });
  }

  async listTransactions<Include extends SuiClientTypes.TransactionInclude = object>(
    options: SuiClientTypes.ListTransactionsOptions<Include>,
  ): Promise<SuiClientTypes.ListTransactionsResponse<Include>> {
    await this.catchUp();
    const { items, ...page } = transactionPage(this.#chain.history, this.#genesis, options);
    const view = { include: options.include, isCheckpointed: true };
    return { transactions: items.map((item) => transactionView<Include>(item, this.#genesis, view)), ...page };
  }

  async listEvents(options: SuiClientTypes.ListEventsOptions): Promise<SuiClientTypes.ListEventsResponse> {
    await this.catchUp();
    const { items, ...page } = eventPage(this.#chain.history, this.#genesis, options);
    return { events: items, ...page };
  }

  async getObjects<Include extends SuiClientTypes.ObjectInclude = object>(
    options: SuiClientTypes.GetObjectsOptions<Include>,
  ): Promise<SuiClientTypes.GetObjectsResponse<Include>> {
    await this.catchUp();
    const { objectIds, include } = options;
    const ids = objectIds.map(normalizeId);
    const objects = ids.map((id, i) => {
      const object = this.#chain.state.get(id);
      if (object !== undefined) return objectView<Include>(object, include);
      const objectId = objectIds[i] ?? id;
      return new ObjectError("notExists", `Object ${id} not found`, { reason: "notFound", objectId });
    });
    return { objects };
  }

  async listOwnedObjects<Include extends SuiClientTypes.ObjectInclude = object>(
    options: SuiClientTypes.ListOwnedObjectsOptions<Include>,
  ): Promise<SuiClientTypes.ListOwnedObjectsResponse<Include>> {
    await this.catchUp();
    const { state } = this.#chain;
    const type = options.type === undefined ? undefined : normalizeStructTag(options.type);
    const owned = state.idsOwnedBy(normalizeId(options.owner)).flatMap((id) => {
      const object = state.get(id);
      const isWanted = object?.owner.$kind === "AddressOwner" && (type === undefined || object.kind.type === type);
      return isWanted ? [[id, object] as const] : [];
    });
    const byId = new Map(owned);
    const { ids, ...page } = pageOfIds([...byId.keys()], options);
    const objects = ids
      .flatMap((id) => byId.get(id) ?? [])
      .map((object) => objectView<Include>(object, options.include));
    return { objects, ...page };
  }

  async listDynamicFields(
    options: SuiClientTypes.ListDynamicFieldsOptions,
  ): Promise<SuiClientTypes.ListDynamicFieldsResponse> {
    await this.catchUp();
    const { state } = this.#chain;
    const { ids, ...page } = pageOfIds(state.idsOwnedBy(normalizeId(options.parentId)), options);
    const dynamicFields = ids.flatMap((id) => {
      const object = state.get(id);
      return (object && fieldView(object)) ?? [];
    });
    return { dynamicFields, ...page };
  }

  /** The digest of the genesis, as on Sui. */
  async getChainIdentifier(): Promise<SuiClientTypes.GetChainIdentifierResponse> {
    return { chainIdentifier: this.#genesis.digest };
  }

  resolveTransactionPlugin(): TransactionPlugin {
    return resolvePlugin(this.#chain);
  }

  /** Reads what other processes have added. All calls of the SDK begin with this; whoever uses those below says when. */
  catchUp(): Promise<void> {
    return this.#chain.catchUp();
  }

  /** The object as it is now, decoded and as BCS. */
  readObject(objectId: string): DescribedObject | undefined {
    const object = isValidSuiAddress(normalizeSuiAddress(objectId))
      ? this.#chain.state.get(normalizeSuiAddress(objectId))
      : undefined;
    return object && describeObject(object);
  }

  readTransaction(digest: string): DescribedTransaction | undefined {
    const executed = this.#chain.find(digest);
    return executed && describeTransaction(executed);
  }

  /** Newest first, down to the genesis. `before` is a sequence, and `next` the one to go on with. */
  recentTransactions({ before, limit }: { readonly before?: number; readonly limit: number }): {
    readonly transactions: readonly TransactionSummary[];
    readonly next?: number;
  } {
    const { history } = this.#chain;
    const end = Math.min(before ?? history.length, history.length);
    const start = Math.max(end - limit, 0);
    const transactions = history.slice(start, end).reverse().map(summarize);
    return { transactions, ...(start > 0 && { next: start }) };
  }

  #read(bytes: Uint8Array, signatures: readonly string[]): ReadTransaction {
    const transaction = readTransaction(bytes);
    refuseWhatIsTooLarge(transaction, signatures);
    refuseExpired(transaction, this.#genesis.digest);
    return transaction;
  }

  /** Whoever sends the same transaction again meanwhile waits as long as the first. */
  async #final(executed: Executed, signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now();
    const finalAt = this.#finalAt.get(executed) ?? now + this.#finalityMs;
    this.#finalAt.set(executed, finalAt);
    try {
      signal?.throwIfAborted();
      if (finalAt > now) await delay(finalAt - now, undefined, { signal });
    } catch (error) {
      throw signal?.aborted ? cancellation(signal) : error;
    }
  }
}

function normalizeId(id: string): string {
  const normal = normalizeSuiAddress(id);
  if (isValidSuiAddress(normal)) return normal;
  throw refusal(`invalid object_id: ${id}`);
}
