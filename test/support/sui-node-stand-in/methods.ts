// The methods of sui.rpc.v2 that the SDK's core client calls, answered by another core client.
import { type CoreClient, ObjectError, type SuiClientTypes } from "@mysten/sui/client";
import { GrpcStatusCode, GrpcTypes } from "@mysten/sui/grpc";
import { checkpointMessage, epochMessage } from "./checkpoints.ts";
import { fieldMessage, objectMessage, present, transactionMessage } from "./messages.ts";

/** A method with its path in the URL. `answer` reads and writes its messages. */
export interface Method {
  readonly path: string;
  answer(core: CoreClient, request: Uint8Array): Promise<Uint8Array>;
}

type Mask = { readonly readMask?: { readonly paths: readonly string[] } };
type Message<T> = { fromBinary(bytes: Uint8Array): T; toBinary(message: T): Uint8Array };

function method<Request, Response>(
  path: string,
  request: Message<Request>,
  response: Message<Response>,
  run: (core: CoreClient, request: Request) => Promise<Response>,
): Method {
  const answer: Method["answer"] = async (core, bytes) => response.toBinary(await run(core, request.fromBinary(bytes)));
  return { path: `sui.rpc.v2.${path}`, answer };
}

const T = GrpcTypes;
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const fromBase64 = (text: string | null) => (text === null ? undefined : Uint8Array.from(Buffer.from(text, "base64")));

/** Transactions that were asked for, by their checkpoints: a core client finds them by their digests alone. */
const asked = new WeakMap<CoreClient, Map<bigint, string>>();

export const METHODS: readonly Method[] = [
  method(
    "LedgerService/BatchGetObjects",
    T.BatchGetObjectsRequest,
    T.BatchGetObjectsResponse,
    async (core, request) => {
      const objectIds = request.requests.map(({ objectId = "" }) => objectId);
      const { objects } = await core.getObjects({ objectIds, include: objectInclude(request) });
      return T.BatchGetObjectsResponse.create({ objects: objects.map((object) => ({ result: objectResult(object) })) });
    },
  ),
  method("LedgerService/GetTransaction", T.GetTransactionRequest, T.GetTransactionResponse, async (core, request) => {
    const result = await core.getTransaction({ digest: request.digest ?? "", include: transactionInclude(request) });
    const transaction = transactionMessage(result);
    const { checkpoint, digest = "" } = transaction;
    if (checkpoint !== undefined) asked.set(core, new Map(asked.get(core)).set(checkpoint, digest));
    return T.GetTransactionResponse.create({ transaction });
  }),
  method("LedgerService/GetCheckpoint", T.GetCheckpointRequest, T.GetCheckpointResponse, async (core, request) => {
    const { checkpointId } = request;
    const number = checkpointId.oneofKind === "sequenceNumber" ? checkpointId.sequenceNumber : -1n;
    const result = await core.getTransaction({
      digest: asked.get(core)?.get(number) ?? "",
      include: { effects: true, bcs: true },
    });
    const { transaction, effects, signatures } = transactionMessage(result as SuiClientTypes.TransactionResult);
    const checkpoint = checkpointMessage(number, {
      transaction: transaction?.bcs?.value ?? new Uint8Array(),
      effects: effects?.bcs?.value ?? new Uint8Array(),
      signatures: signatures.flatMap(({ bcs }) => bcs?.value ?? []),
    });
    return T.GetCheckpointResponse.create({ checkpoint });
  }),
  method("LedgerService/GetServiceInfo", T.GetServiceInfoRequest, T.GetServiceInfoResponse, async (core) => {
    const { chainIdentifier } = await core.getChainIdentifier();
    return T.GetServiceInfoResponse.create({ chainId: chainIdentifier });
  }),
  method("LedgerService/GetEpoch", T.GetEpochRequest, T.GetEpochResponse, async (core) => {
    const { referenceGasPrice } = await core.getReferenceGasPrice();
    return T.GetEpochResponse.create({
      epoch: epochMessage({ epoch: 0n, referenceGasPrice: BigInt(referenceGasPrice) }),
    });
  }),
  method(
    "StateService/ListOwnedObjects",
    T.ListOwnedObjectsRequest,
    T.ListOwnedObjectsResponse,
    async (core, request) => {
      const { owner = "", objectType } = request;
      const type = objectType === undefined ? {} : { type: objectType };
      if (request.readMask?.paths.includes("balance")) return coinPage(core, owner, pageOf(request));
      const page = await core.listOwnedObjects({ owner, ...type, ...pageOf(request), include: objectInclude(request) });
      return T.ListOwnedObjectsResponse.create(
        present({ objects: page.objects.map(objectMessage), nextPageToken: fromBase64(page.cursor) }),
      );
    },
  ),
  method(
    "StateService/ListDynamicFields",
    T.ListDynamicFieldsRequest,
    T.ListDynamicFieldsResponse,
    async (core, request) => {
      const page = await core.listDynamicFields({ parentId: request.parent ?? "", ...pageOf(request) });
      return T.ListDynamicFieldsResponse.create(
        present({ dynamicFields: page.dynamicFields.map(fieldMessage), nextPageToken: fromBase64(page.cursor) }),
      );
    },
  ),
  method("StateService/GetBalance", T.GetBalanceRequest, T.GetBalanceResponse, async (core, request) => {
    const { owner = "", coinType } = request;
    const { balance } = await core.getBalance({ owner, ...(coinType !== undefined && { coinType }) });
    const [total, coinBalance, addressBalance] = [balance.balance, balance.coinBalance, balance.addressBalance].map(
      BigInt,
    );
    return T.GetBalanceResponse.create(
      present({ balance: present({ coinType: balance.coinType, balance: total, coinBalance, addressBalance }) }),
    );
  }),
  method(
    "TransactionExecutionService/ExecuteTransaction",
    T.ExecuteTransactionRequest,
    T.ExecuteTransactionResponse,
    async (core, request) => {
      const signatures = request.signatures.map(({ bcs }) => base64(bcs?.value ?? new Uint8Array()));
      const transaction = request.transaction?.bcs?.value ?? new Uint8Array();
      const result = await core.executeTransaction({ transaction, signatures, include: transactionInclude(request) });
      return T.ExecuteTransactionResponse.create({ transaction: transactionMessage(result) });
    },
  ),
  method(
    "TransactionExecutionService/SimulateTransaction",
    T.SimulateTransactionRequest,
    T.SimulateTransactionResponse,
    async (core, request) => {
      const transaction = request.transaction?.bcs?.value;
      if (transaction === undefined) throw new Error("the stand-in simulates only transactions that are built");
      const { commandResults: _, ...result } = await core.simulateTransaction({
        transaction,
        include: transactionInclude(request, "transaction."),
      });
      return T.SimulateTransactionResponse.create({
        transaction: transactionMessage(result as SuiClientTypes.TransactionResult),
      });
    },
  ),
];

/** Coins are objects with a balance, which only `listCoins` returns. */
async function coinPage(core: CoreClient, owner: string, page: ReturnType<typeof pageOf>) {
  const { objects, cursor } = await core.listCoins({ owner, ...page });
  const messages = objects.map(({ balance, ...coin }) =>
    Object.assign(objectMessage(coin as SuiClientTypes.Object), { balance: BigInt(balance) }),
  );
  return T.ListOwnedObjectsResponse.create(present({ objects: messages, nextPageToken: fromBase64(cursor) }));
}

function objectResult(object: SuiClientTypes.Object | Error) {
  if (!(object instanceof Error)) return { oneofKind: "object", object: objectMessage(object) } as const;
  const code =
    object instanceof ObjectError && object.reason === "notFound" ? GrpcStatusCode.NOT_FOUND : GrpcStatusCode.INTERNAL;
  return { oneofKind: "error" as const, error: { code, message: object.message, details: [] } };
}

function pageOf({ pageToken, pageSize }: { readonly pageToken?: Uint8Array; readonly pageSize?: number }) {
  return present({ cursor: pageToken && base64(pageToken), limit: pageSize });
}

function objectInclude({ readMask }: Mask): SuiClientTypes.ObjectInclude {
  const asks = (path: string) => readMask?.paths.includes(path) ?? false;
  return {
    content: asks("contents"),
    previousTransaction: asks("previous_transaction"),
    objectBcs: asks("bcs"),
    json: asks("json"),
  };
}

function transactionInclude({ readMask }: Mask, prefix = ""): SuiClientTypes.TransactionInclude {
  const asks = (path: string) => readMask?.paths.includes(prefix + path) ?? false;
  return {
    effects: asks("effects") || asks("effects.bcs"),
    events: asks("events"),
    objectTypes: asks("effects.changed_objects.object_type"),
    transaction: asks("transaction.kind"),
    bcs: asks("transaction.bcs"),
  };
}
