// Publishes the committed bytecode, and transfers the PolicyCap to its owner.
import type { CoreClient, SuiClientTypes } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import { Transaction } from "@mysten/sui/transactions";
import { normalizeStructTag } from "@mysten/sui/utils";

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
  /** Makes the package immutable, so that its rules can never change. */
  readonly immutable?: boolean | undefined;
  readonly say?: (line: string) => void;
}

export interface Published {
  readonly packageId: string;
  readonly gateId: string;
  readonly anchorCapId: string;
  readonly policyCapId: string;
  readonly txDigest: string;
}

const INCLUDE = { effects: true, objectTypes: true } as const;
/** In MIST. Sui charges only what is used. Publishing our one module takes about a tenth of this. */
const PUBLISH_BUDGET = 200_000_000n;
const TRANSFER_BUDGET = 10_000_000n;

export async function publish(options: PublishOptions): Promise<Published> {
  const { client, signer, bytecode, policyOwner, immutable = false, say = () => undefined } = options;
  const sender = signer.toSuiAddress();

  say(`publishing as ${sender} ...`);
  const executed = await run(client, signer, PUBLISH_BUDGET, (transaction) => {
    const upgradeCap = transaction.publish({
      modules: [...bytecode.modules],
      dependencies: [...bytecode.dependencies],
    });
    if (immutable) transaction.moveCall({ target: "0x2::package::make_immutable", arguments: [upgradeCap] });
    else transaction.transferObjects([upgradeCap], sender);
  });
  const published = publishedBy(executed);
  if (policyOwner !== undefined && policyOwner !== sender) {
    say(`transferring the PolicyCap to ${policyOwner} ...`);
    await run(client, signer, TRANSFER_BUDGET, (transaction) => {
      transaction.transferObjects([transaction.objectRef(published.policyCap)], policyOwner);
    });
  }
  const { packageId, gateId, anchorCapId, policyCap, txDigest } = published;
  return { packageId, gateId, anchorCapId, policyCapId: policyCap.objectId, txDigest };
}

type Executed = SuiClientTypes.Transaction<typeof INCLUDE>;

async function run(
  client: CoreClient,
  signer: Signer,
  budget: bigint,
  fill: (t: Transaction) => void,
): Promise<Executed> {
  const sender = signer.toSuiAddress();
  const [{ referenceGasPrice }, coins] = await Promise.all([
    client.getReferenceGasPrice(),
    client.listCoins({ owner: sender }),
  ]);
  const balance = coins.objects.reduce((sum, coin) => sum + BigInt(coin.balance), 0n);
  if (balance < budget)
    throw new Error(`${sender} has ${balance} MIST, and this may need ${budget}. Send it some SUI first.`);
  const transaction = new Transaction();
  transaction.setSender(sender);
  transaction.setGasPrice(BigInt(referenceGasPrice));
  transaction.setGasBudget(budget);
  transaction.setGasPayment(
    coins.objects.slice(0, 250).map(({ objectId, version, digest }) => ({ objectId, version, digest })),
  );
  fill(transaction);
  const bytes = await transaction.build();
  const { signature } = await signer.signTransaction(bytes);
  const result = await client.executeTransaction({ transaction: bytes, signatures: [signature], include: INCLUDE });
  if (result.$kind === "Transaction") {
    // The next transaction needs the new versions of the changed objects.
    await client.waitForTransaction({ digest: result.Transaction.digest });
    return result.Transaction;
  }
  const { digest, status } = result.FailedTransaction;
  throw new Error(`The transaction ${digest} failed: ${status.error?.message ?? "no reason was given"}`);
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
      throw new Error(`The package was published without a ${name}.`);
    return { objectId: found.objectId, version: found.outputVersion, digest: found.outputDigest };
  };
  if (packageId === undefined) throw new Error("The transaction published no package.");
  return {
    packageId,
    gateId: created("Gate").objectId,
    anchorCapId: created("AnchorCap").objectId,
    policyCap: created("PolicyCap"),
    txDigest: digest,
  };
}
