// A small Sui full node in this process: the SDK's own transport class over a chain that executes one Move module. It
// takes the bytes that a full node takes and answers as a full node does, so the adapter cannot tell them apart.
import { ObjectError, type SuiClientTypes, TransactionError } from "@mysten/sui/client";
import type { TransactionPlugin } from "@mysten/sui/transactions";
import { isValidSuiAddress, normalizeStructTag, normalizeSuiAddress, SUI_TYPE_ARG } from "@mysten/sui/utils";
import { type Chain, openChain } from "#adapters/ledger/local/chain/chain.ts";
import { FIRST_VERSION, type Genesis, genesisOf } from "#adapters/ledger/local/chain/genesis.ts";
import { Coin } from "#adapters/ledger/local/chain/object-kinds.ts";
import { refusal } from "#adapters/ledger/local/execution/failure.ts";
import { refuseWrongSignatures } from "#adapters/ledger/local/execution/signatures.ts";
import {
  type ReadTransaction,
  readTransaction,
  refuseExpired,
  refuseTooLarge,
} from "#adapters/ledger/local/execution/transaction.ts";
import { formerGenesis } from "#adapters/ledger/local/former/former-genesis.ts";
import type { LedgerLog } from "#ports.ts";
import { createExplorer, type Explorer } from "./explorer.ts";
import { createFinality } from "./finality.ts";
import { eventPage, transactionPage } from "./history-queries.ts";
import { pageOfIds } from "./paging.ts";
import { resolvePlugin } from "./resolve-plugin.ts";
import { fieldView, objectView, transactionView } from "./sdk-views.ts";
import { UnsupportedMethods } from "./unsupported-methods.ts";

export interface LocalSuiOptions {
  readonly log: LedgerLog;
  /** The address that gets both capabilities in the genesis. */
  readonly owner: string;
  /** Returns milliseconds since 1970. */
  readonly clock?: () => number;
  /** How long the answer is delayed after its transaction has executed. Other calls are not delayed. */
  readonly finalityMs?: number;
  /** How many gates there are. Tests use more than one, to show the capability of another gate. */
  readonly gates?: number;
  /** Whether transactions need no payment. Tests that charge fees of their own say so. */
  readonly isFree?: boolean;
}

/** Opens the chain and replays its log. */
export async function createLocalSui(options: LocalSuiOptions): Promise<LocalSui> {
  const { log, owner, clock = Date.now, finalityMs = 0, gates = 1, isFree = false } = options;
  const address = normalizeSuiAddress(owner);
  const genesis = genesisOf(address, { gateCount: gates, isFree });
  const former = await formerGenesis(log, address);
  const chain = await openChain(log, former === undefined ? [genesis] : [former, genesis], clock);
  return new LocalSui(chain, genesis, finalityMs);
}

export class LocalSui extends UnsupportedMethods {
  readonly packageId: string;
  /** The package of release 0.1.0, when the log begins with transactions of it. */
  readonly formerPackageId: string | undefined;
  readonly gateId: string;
  readonly policyCapId: string;
  readonly anchorCapId: string;
  /** The owner's coin that pays. Absent on a chain whose transactions need no payment. */
  readonly gasCoinId: string | undefined;
  readonly initialSharedVersion = String(FIRST_VERSION);
  /** All gates. The ids above are those of the first. */
  readonly gates: Genesis["gates"];
  readonly explorer: Explorer;
  readonly #chain: Chain;
  readonly #genesis: Genesis;
  readonly #finality: ReturnType<typeof createFinality>;

  constructor(chain: Chain, genesis: Genesis, finalityMs: number) {
    super();
    this.#chain = chain;
    this.explorer = createExplorer(chain);
    this.#genesis = genesis;
    this.#finality = createFinality(finalityMs);
    this.packageId = genesis.packageId;
    this.gasCoinId = genesis.gasCoinId;
    this.formerPackageId = chain.publications.slice(0, -1).at(0)?.packageId;
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
    // A copy, because the chain keeps the bytes, and the caller may overwrite them.
    const transaction = this.#read(Uint8Array.from(options.transaction), signatures);
    await refuseWrongSignatures(transaction, signatures);
    const executed = await this.#chain.submit(transaction, [...signatures], signal);
    await this.#finality(executed, signal);
    return transactionView<Include>(executed, { include, isCheckpointed: false });
  }

  async simulateTransaction<Include extends SuiClientTypes.SimulateTransactionInclude = object>(
    options: SuiClientTypes.SimulateTransactionOptions<Include>,
  ): Promise<SuiClientTypes.SimulateTransactionResult<Include>> {
    const { transaction, include } = options;
    const bytes = transaction instanceof Uint8Array ? transaction : await transaction.build({ client: this });
    await this.catchUp();
    const executed = this.#chain.simulate(this.#read(bytes, []));
    const result = transactionView<Include>(executed, { include, isCheckpointed: false });
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
    return transactionView<Include>(executed, { include, isCheckpointed: true });
  }

  async listTransactions<Include extends SuiClientTypes.TransactionInclude = object>(
    options: SuiClientTypes.ListTransactionsOptions<Include>,
  ): Promise<SuiClientTypes.ListTransactionsResponse<Include>> {
    await this.catchUp();
    const { items, ...page } = transactionPage(this.#chain.history, options);
    const view = { include: options.include, isCheckpointed: true };
    return { transactions: items.map((item) => transactionView<Include>(item, view)), ...page };
  }

  async listEvents(options: SuiClientTypes.ListEventsOptions): Promise<SuiClientTypes.ListEventsResponse> {
    await this.catchUp();
    const { items, ...page } = eventPage(this.#chain.history, options);
    return { events: items, ...page };
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
    const type = options.type === undefined ? undefined : normalizeStructTag(options.type);
    const owned = state.idsOwnedBy(normalizeId(options.owner)).filter((id) => {
      const object = state.get(id);
      return object?.owner.$kind === "AddressOwner" && (type === undefined || object.kind.type === type);
    });
    const { ids, ...page } = pageOfIds(owned, options);
    const objects = ids.flatMap((id) => state.get(id) ?? []);
    return { objects: objects.map((object) => objectView<Include>(object, options.include)), ...page };
  }

  async listCoins(options: SuiClientTypes.ListCoinsOptions): Promise<SuiClientTypes.ListCoinsResponse> {
    const { coinType = SUI_TYPE_ARG, ...page } = options;
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

  resolveTransactionPlugin(): TransactionPlugin {
    return resolvePlugin(this.#chain);
  }

  /** Reads what other processes have appended. Every call of the SDK begins with this. */
  catchUp(): Promise<void> {
    return this.#chain.catchUp();
  }

  #read(bytes: Uint8Array, signatures: readonly string[]): ReadTransaction {
    const transaction = readTransaction(bytes);
    refuseTooLarge(transaction, signatures);
    refuseExpired(transaction, this.#genesis.digest);
    this.#refuseFormer(transaction);
    return transaction;
  }

  /** What an earlier version of the module minted stays, and nothing is added to it. */
  #refuseFormer({ digest, commands }: ReadTransaction): void {
    if (this.#chain.find(digest) !== undefined) return;
    const former = this.#chain.publications.slice(0, -1).map(({ packageId }) => packageId);
    if (commands.some(({ MoveCall }) => MoveCall !== undefined && former.includes(MoveCall.package)))
      throw refusal("the local ledger only keeps what the former package wrote");
  }
}

function normalizeId(id: string): string {
  const normal = normalizeSuiAddress(id);
  if (isValidSuiAddress(normal)) return normal;
  throw refusal(`invalid object_id: ${id}`);
}
