// A small Sui full node in this process: the SDK's own transport class over a chain that executes one Move module. It
// takes the bytes that a full node takes and answers as a full node does, so the adapter cannot tell them apart.
import { CoreClient, ObjectError, type SuiClientTypes, TransactionError } from "@mysten/sui/client";
import * as sui from "@mysten/sui/utils";
import { partitionPoint } from "#core/collections/partition-point.ts";
import { orUndefined } from "#core/defined.ts";
import type { LedgerLog } from "#ports.ts";
import { type Chain, openChain } from "./chain/chain.ts";
import { refusal } from "./chain/failure.ts";
import { FIRST_VERSION, type Genesis, genesisOf } from "./chain/genesis.ts";
import { Coin } from "./chain/object-kinds.ts";
import * as transactions from "./chain/transaction.ts";
import { createExplorers } from "./explorer.ts";
import { fieldView, objectView, transactionView } from "./sdk-views.ts";

export interface LocalSuiOptions {
  readonly log: LedgerLog;
  /** The address that gets both capabilities in the genesis. */
  readonly owner: string;
  readonly clock?: () => number;
  /** How many gates there are. Tests use more than one, to show the capability of another gate. */
  readonly gates?: number;
  /** Whether transactions need no payment. Tests that charge fees of their own say so. */
  readonly isFree?: boolean;
}

export async function createLocalSui(options: LocalSuiOptions): Promise<LocalSui> {
  const { log, owner, clock = Date.now, gates = 1, isFree = false } = options;
  const genesis = genesisOf(sui.normalizeSuiAddress(owner), { gateCount: gates, isFree });
  const chain = await openChain(log, genesis, clock);
  return new LocalSui(chain, genesis);
}

/** Of what this ledger does not have (names, validators, epochs), the SDK's methods reject with UNIMPLEMENTED. */
export class LocalSui extends CoreClient {
  readonly packageId: string;
  readonly gateId: string;
  readonly policyCapId: string;
  readonly anchorCapId: string;
  /** The owner's coin that pays. Absent on a chain whose transactions need no payment. */
  readonly gasCoinId: string | undefined;
  readonly initialSharedVersion = String(FIRST_VERSION);
  readonly gates: Genesis["gates"];
  /** Shows the part of the ledger that belongs to a gate. */
  readonly explorerOf: ReturnType<typeof createExplorers>;
  readonly explorer: ReturnType<LocalSui["explorerOf"]>;
  readonly #chain: Chain;
  readonly #genesis: Genesis;

  constructor(chain: Chain, genesis: Genesis) {
    // The SDK's types require a client around this one. Its code does not.
    super({ network: "local" } as ConstructorParameters<typeof CoreClient>[0]);
    this.#chain = chain;
    this.#genesis = genesis;
    this.packageId = genesis.packageId;
    this.gasCoinId = genesis.gasCoinId;
    this.gates = genesis.gates;
    const [first] = genesis.gates;
    if (first === undefined) throw new Error("a ledger has at least one gate");
    this.gateId = first.gateId;
    this.policyCapId = first.policyCapId;
    this.anchorCapId = first.anchorCapId;
    this.explorerOf = createExplorers(chain, first.gateId, genesis.kinds.gate.type);
    this.explorer = this.explorerOf(first.gateId);
  }

  async executeTransaction<Include extends SuiClientTypes.TransactionInclude = object>(
    options: SuiClientTypes.ExecuteTransactionOptions<Include>,
  ): Promise<SuiClientTypes.TransactionResult<Include>> {
    const { signatures, include, signal } = options;
    // A copy, because the chain keeps the bytes, and the caller may overwrite them.
    const transaction = this.#read(Uint8Array.from(options.transaction), signatures);
    transactions.refuseWrongSignatures(transaction, signatures);
    const executed = await this.#chain.submit(transaction, [...signatures], signal);
    return transactionView<Include>(executed, { include, isCheckpointed: false });
  }

  async simulateTransaction<Include extends SuiClientTypes.SimulateTransactionInclude = object>(
    options: SuiClientTypes.SimulateTransactionOptions<Include>,
  ): Promise<SuiClientTypes.SimulateTransactionResult<Include>> {
    const { transaction, include } = options;
    const bytes = transaction instanceof Uint8Array ? transaction : await transaction.build();
    await this.catchUp();
    const executed = this.#chain.simulate(this.#read(bytes, []));
    const result = transactionView<Include>(executed, { include, isCheckpointed: false });
    return { ...result, commandResults: undefined } as SuiClientTypes.SimulateTransactionResult<Include>;
  }

  async getTransaction<Include extends SuiClientTypes.TransactionInclude = object>(
    options: SuiClientTypes.GetTransactionOptions<Include>,
  ): Promise<SuiClientTypes.TransactionResult<Include>> {
    await this.catchUp();
    const { digest, include } = options;
    const executed = this.#chain.find(digest);
    if (executed === undefined) throw new TransactionError("notFound", digest);
    return transactionView<Include>(executed, { include, isCheckpointed: true });
  }

  async getObjects<Include extends SuiClientTypes.ObjectInclude = object>(
    options: SuiClientTypes.GetObjectsOptions<Include>,
  ): Promise<SuiClientTypes.GetObjectsResponse<Include>> {
    await this.catchUp();
    const { objectIds, include } = options;
    const objects = objectIds.map((objectId) => {
      const id = normalizeId(objectId);
      const object = this.#chain.state.get(id);
      if (object !== undefined) return objectView<Include>(object, include);
      return new ObjectError("notExists", `Object ${id} not found`, { reason: "notFound", objectId });
    });
    return { objects };
  }

  async listOwnedObjects<Include extends SuiClientTypes.ObjectInclude = object>(
    options: SuiClientTypes.ListOwnedObjectsOptions<Include>,
  ): Promise<SuiClientTypes.ListOwnedObjectsResponse<Include>> {
    await this.catchUp();
    const { state } = this.#chain;
    const type = options.type === undefined ? undefined : sui.normalizeStructTag(options.type);
    const owned = state.idsOwnedBy(normalizeId(options.owner)).filter((id) => {
      const object = state.get(id);
      return object?.owner.$kind === "AddressOwner" && (type === undefined || object.kind.type === type);
    });
    const { ids, ...page } = pageOfIds(owned, options);
    const objects = ids.flatMap((id) => state.get(id) ?? []);
    return { objects: objects.map((object) => objectView<Include>(object, options.include)), ...page };
  }

  async listCoins(options: SuiClientTypes.ListCoinsOptions): Promise<SuiClientTypes.ListCoinsResponse> {
    const { coinType = sui.SUI_TYPE_ARG, ...page } = options;
    const { objects, ...rest } = await this.listOwnedObjects({
      ...page,
      type: `0x2::coin::Coin<${coinType}>`,
      include: { content: true },
    });
    const coins = objects.map(({ content, ...coin }) => ({ ...coin, balance: Coin.parse(content).balance.value }));
    return { objects: coins, ...rest };
  }

  async listDynamicFields(
    options: SuiClientTypes.ListDynamicFieldsOptions,
  ): Promise<SuiClientTypes.ListDynamicFieldsResponse> {
    await this.catchUp();
    const { state } = this.#chain;
    const { ids, ...page } = pageOfIds(state.idsOwnedBy(normalizeId(options.parentId)), options);
    const objects = ids.flatMap((id) => state.get(id) ?? []);
    return { dynamicFields: objects.flatMap((object) => fieldView(object) ?? []), ...page };
  }

  /** The digest of the genesis transaction, as on Sui. */
  async getChainIdentifier(): Promise<SuiClientTypes.GetChainIdentifierResponse> {
    return { chainIdentifier: this.#genesis.digest };
  }

  async getReferenceGasPrice(): Promise<SuiClientTypes.GetReferenceGasPriceResponse> {
    return { referenceGasPrice: "0" };
  }

  async getBalance(options: SuiClientTypes.GetBalanceOptions): Promise<SuiClientTypes.GetBalanceResponse> {
    const { coinType = sui.SUI_TYPE_ARG } = options;
    return { balance: { coinType, balance: "0", coinBalance: "0", addressBalance: "0" } };
  }

  listTransactions = unsupported("list of transactions");
  listEvents = unsupported("list of events");
  listBalances = unsupported("list of balances");
  getCoinMetadata = unsupported("metadata of coins");
  getCurrentSystemState = unsupported("system state");
  getProtocolConfig = unsupported("protocol configuration");
  getMoveFunction = unsupported("descriptions of Move functions");
  verifyZkLoginSignature = unsupported("zkLogin");
  defaultNameServiceName = unsupported("name service");
  resolveNameServiceAddress = unsupported("name service");
  resolveTransactionPlugin = () => unsupported("resolution of transactions");

  /** Reads what other processes have appended. Every call of the SDK begins with this. */
  catchUp(): Promise<void> {
    return this.#chain.catchUp();
  }

  #read(bytes: Uint8Array, signatures: readonly string[]): transactions.ReadTransaction {
    const transaction = transactions.readTransaction(bytes);
    transactions.refuseTooLarge(transaction, signatures);
    transactions.refuseExpired(transaction, this.#genesis.digest);
    return transaction;
  }
}

function normalizeId(id: string): string {
  const normal = sui.normalizeSuiAddress(id);
  if (sui.isValidSuiAddress(normal)) return normal;
  throw refusal(`invalid object_id: ${id}`);
}

function unsupported(what: string): () => Promise<never> {
  return async () => {
    throw refusal(`the local ledger has no ${what}`, "UNIMPLEMENTED");
  };
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

/** A page as a full node makes it. `ids` are sorted. The cursor is the first id of the next page, so it stays valid when ids come and go. */
function pageOfIds(
  ids: readonly string[],
  { cursor, limit }: { cursor?: string | null | undefined; limit?: number | undefined },
) {
  const first = cursor ? `0x${sui.toHex(readCursor(cursor))}` : "";
  const start = partitionPoint(ids.length, (i) => (ids[i] ?? "") < first);
  const end = start + Math.min(Math.max(limit ?? DEFAULT_LIMIT, 1), MAX_LIMIT);
  const next = ids[end];
  return {
    ids: ids.slice(start, end),
    hasNextPage: next !== undefined,
    cursor: next === undefined ? null : sui.toBase64(sui.fromHex(next)),
  };
}

function readCursor(cursor: string): Uint8Array {
  const bytes = orUndefined(() => sui.fromBase64(cursor));
  if (bytes?.length !== 32) throw refusal("invalid page_token");
  return bytes;
}
