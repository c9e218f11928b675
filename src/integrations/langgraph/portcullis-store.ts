// A store of LangGraph whose items are memories behind the gate. The agent is the key's: it finds what the policy lets it
// use, whoever put it, and changes what it put itself.
import {
  BaseStore,
  type GetOperation,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { type Connection, connect, type Speaker } from "#integrations/connection.ts";
import { checkOpen, checkPut, getItem, listPaths, putItem, searchItems } from "./item-operations.ts";
import { type MemoryReader, memoryReader, type Receipt, type StoreClient } from "./memory-reader.ts";

export type PortcullisStoreOptions = Connection<keyof StoreClient> &
  Speaker & {
    /** Take a put that says how its item is to be indexed, and index all of it. Otherwise it is refused. */
    readonly ignoreIndex?: boolean | undefined;
    /** Called with the receipt of each search with a query: of what the service gave for it. */
    readonly onReceipt?: ((receipt: Receipt) => void) | undefined;
  };

/** Reads of one batch that are under way at the same time. */
const READS_AT_ONCE = 16;

export class PortcullisStore extends BaseStore {
  readonly #client: StoreClient;
  readonly #reader: MemoryReader;
  readonly #ignoreIndex: boolean;
  readonly #stopped = new AbortController();

  constructor(options: PortcullisStoreOptions) {
    super();
    this.#client = connect<keyof StoreClient>(options);
    this.#reader = memoryReader(this.#client, { ...options, signal: this.#stopped.signal });
    this.#ignoreIndex = options.ignoreIndex ?? false;
  }

  /** As in LangGraph's own store, reads come before writes, and the last write to an item counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = new Map<string, PutOperation>();
    for (const each of operations) if (isPut(each)) puts.set(JSON.stringify([each.namespace, each.key]), each);
    for (const put of puts.values()) checkPut(put, this.#ignoreIndex);
    await checkOpen(this.#reader, puts.values());
    const results: unknown[] = [];
    for (let i = 0; i < operations.length; i += READS_AT_ONCE) {
      const some = operations.slice(i, i + READS_AT_ONCE);
      results.push(...(await Promise.all(some.map((each) => (isPut(each) ? undefined : this.#read(each))))));
    }
    const parts = { client: this.#client, reader: this.#reader, signal: this.#stopped.signal };
    for (const put of puts.values()) await putItem(parts, put);
    return results as OperationResults<Op>;
  }

  #read(operation: GetOperation | SearchOperation | ListNamespacesOperation) {
    if ("namespacePrefix" in operation) return searchItems(this.#reader, operation);
    if ("key" in operation) return getItem(this.#reader, operation);
    return listPaths(this.#reader, operation);
  }

  /** Ends the calls under way. A stopped store does nothing more. */
  override stop(): void {
    this.#stopped.abort(new Error("The store was stopped."));
  }
}

function isPut(operation: Operation): operation is PutOperation {
  return "value" in operation;
}
