// Publishes the committed bytecode, and hands the PolicyCap to its owner.
import type { CoreClient, SuiClientTypes } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import type { Transaction } from "@mysten/sui/transactions";
import { normalizeStructTag } from "@mysten/sui/utils";
import { withDeadline } from "#async/with-deadline.ts";
import { callsIn } from "./commit/build-transaction.ts";
import * as gas from "./commit/payment.ts";

interface Bytecode {
  readonly modules: readonly string[];
  readonly dependencies: readonly string[];
}

export interface PublishOptions {
  readonly client: CoreClient;
  readonly signer: Signer;
  readonly bytecode: Bytecode;
  /** The address that gets the PolicyCap. The signer keeps it by default. */
  readonly policyOwner?: string | undefined;
  /** Keeps the UpgradeCap, whose holder can change the rules. By default the package is made immutable. */
  readonly upgradeable?: boolean | undefined;
  /** Whether the gate hides agents and namespaces behind pseudonyms. By default it has plain names. */
  readonly names?: "plain" | "pseudonyms" | undefined;
  /** Called when the package is published, before any capability is handed on. */
  readonly onPublished?: (published: Published) => void;
  readonly say?: (line: string) => void;
}

export interface Published {
  readonly packageId: string;
  readonly gateId: string;
  readonly anchorCapId: string;
  readonly policyCapId: string;
  readonly txDigest: string;
}

type PublishBytecode = Pick<PublishOptions, "bytecode" | "upgradeable">;

export async function estimatePublish(options: Pick<PublishOptions, "client" | "signer"> & PublishBytecode) {
  const sender = options.signer.toSuiAddress();
  const { funds, budget, gasUsed } = await prepare(options.client, sender, publishing(options, sender));
  const stored = BigInt(gasUsed.storageCost) - BigInt(gasUsed.storageRebate);
  const cost = BigInt(gasUsed.computationCost) + stored;
  return { cost, budget, funds: gas.largestBudget(funds), isAffordable: gas.paymentFor(funds, budget) !== undefined };
}

export async function publish(options: PublishOptions): Promise<Published> {
  const { client, signer, policyOwner, names, say = () => undefined, onPublished = () => undefined } = options;
  const sender = signer.toSuiAddress();
  say(`publishing as ${sender} ...`);
  const { policyCap, gate, ...published } = publishedBy(await send(client, signer, publishing(options, sender)));
  onPublished(published);
  const heir = policyOwner === sender ? undefined : policyOwner;
  const isHidden = names === "pseudonyms";
  if (!isHidden && heir === undefined) return published;
  if (isHidden) say("telling the gate that its names are pseudonyms ...");
  if (heir !== undefined) say(`handing the PolicyCap to ${heir} ...`);
  try {
    await send(client, signer, (transaction) => {
      const cap = transaction.objectRef(policyCap);
      if (isHidden) {
        const call = callsIn(transaction, published, { initialSharedVersion: gate.version, policyCap });
        call("use_pseudonyms", {});
      }
      if (heir !== undefined) transaction.transferObjects([cap], heir);
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const advice = `The package is published, and ${sender} still has the PolicyCap ${policyCap.objectId}: do not publish again.`;
    throw new Error(`${undone(isHidden, heir !== undefined)} ${advice} ${why}`, { cause });
  }
  return published;
}

/** What is left to do. The service itself tells a new gate of its names. */
function undone(isHidden: boolean, hasHeir: boolean): string {
  return [
    ...(isHidden
      ? ["The gate was not told that its names are pseudonyms: the service does it, with LEDGER_NAMES=pseudonyms."]
      : []),
    ...(hasHeir ? ["The PolicyCap was not handed on: transfer it yourself."] : []),
  ].join(" ");
}

function publishing({ bytecode, upgradeable = false }: PublishBytecode, sender: string): Fill {
  return (transaction) => {
    const upgradeCap = transaction.publish({
      modules: [...bytecode.modules],
      dependencies: [...bytecode.dependencies],
    });
    if (upgradeable) transaction.transferObjects([upgradeCap], sender);
    else transaction.moveCall({ target: "0x2::package::make_immutable", arguments: [upgradeCap] });
  };
}

function publishedBy({ digest, effects, objectTypes }: Executed) {
  const changed = effects.changedObjects;
  const packageId = changed.find(({ outputState }) => outputState === "PackageWrite")?.objectId;
  const created = (name: string) => {
    const type = normalizeStructTag(`${packageId}::gate::${name}`);
    const found = changed.find(({ objectId }) => {
      const actual = objectTypes[objectId];
      return actual !== undefined && actual !== "package" && normalizeStructTag(actual) === type;
    });
    if (found?.outputVersion == null || found.outputDigest == null)
      throw new Error(`The transaction ${digest} published the package ${packageId} without a ${name}.`);
    return { objectId: found.objectId, version: found.outputVersion, digest: found.outputDigest };
  };
  if (packageId === undefined) throw new Error(`The transaction ${digest} published no package.`);
  const [policyCap, gate] = [created("PolicyCap"), created("Gate")];
  return {
    packageId,
    gateId: gate.objectId,
    gate,
    anchorCapId: created("AnchorCap").objectId,
    policyCapId: policyCap.objectId,
    policyCap,
    txDigest: digest,
  };
}

const INCLUDE = { effects: true, objectTypes: true } as const;
const CALL_MS = 60_000;

type Fill = (transaction: Transaction) => void;
type Executed = SuiClientTypes.Transaction<typeof INCLUDE>;

async function send(client: CoreClient, signer: Signer, fill: Fill): Promise<Executed> {
  const sender = signer.toSuiAddress();
  const { funds, budget, epoch } = await prepare(client, sender, fill);
  const payment = await gas.gasPayment({ client, readMs: CALL_MS }, funds, budget, epoch);
  if (payment === undefined) {
    throw new Error(`${sender} has ${gas.inSui(gas.largestBudget(funds))}, and this may cost ${gas.inSui(budget)}.`);
  }
  const bytes = await build(sender, fill, payment);
  const { signature } = await signer.signTransaction(bytes);
  const result = await withDeadline(CALL_MS, ({ signal }) =>
    client.executeTransaction({ transaction: bytes, signatures: [signature], include: INCLUDE, signal }),
  );
  if (result.$kind === "FailedTransaction") throw failure(result.FailedTransaction);
  // The next transaction needs the new versions of the changed objects.
  await client.waitForTransaction({ digest: result.Transaction.digest, timeout: CALL_MS });
  return result.Transaction;
}

async function prepare(client: CoreClient, sender: string, fill: Fill) {
  const funds = await withDeadline(CALL_MS, ({ signal }) => gas.readGasFunds(client, { owner: sender, signal }));
  const bytes = await build(sender, fill, gas.simulatedPayment(funds));
  const simulated = await gas.simulate({ client, readMs: CALL_MS }, bytes);
  if (!simulated.status.success) throw failure(simulated);
  const { gasUsed } = simulated.effects;
  return { funds, gasUsed, budget: gas.budgetFor(gasUsed, funds), epoch: simulated.epoch };
}

function build(sender: string, fill: Fill, payment: gas.GasPayment): Promise<Uint8Array> {
  const transaction = gas.paidTransaction(sender, payment);
  fill(transaction);
  return transaction.build();
}

const failure = ({ digest, status }: Pick<Executed, "digest" | "status">): Error =>
  new Error(`The transaction ${digest} failed: ${status.error?.message ?? "no reason was given"}`);
