// Publishes the committed bytecode, and hands the PolicyCap to its owner.
import type { CoreClient } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import { normalizeStructTag } from "@mysten/sui/utils";
import { type Executed, estimate, type Fill, send } from "./send.ts";

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

/** What it would cost to publish. Nothing is sent. */
export function estimatePublish({
  client,
  signer,
  ...what
}: Pick<PublishOptions, "client" | "signer"> & PublishBytecode) {
  const sender = signer.toSuiAddress();
  return estimate(client, sender, publishing(what, sender));
}

export async function publish(options: PublishOptions): Promise<Published> {
  const { client, signer, policyOwner, say = () => undefined, onPublished = () => undefined } = options;
  const sender = signer.toSuiAddress();
  say(`publishing as ${sender} ...`);
  const { policyCap, ...published } = publishedBy(await send(client, signer, publishing(options, sender)));
  onPublished(published);
  if (policyOwner !== undefined && policyOwner !== sender) {
    say(`handing the PolicyCap to ${policyOwner} ...`);
    try {
      await send(client, signer, (transaction) => {
        transaction.transferObjects([transaction.objectRef(policyCap)], policyOwner);
      });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const advice = `The package is published, and ${sender} still has the PolicyCap ${policyCap.objectId}. Transfer it yourself; do not publish again.`;
      throw new Error(`The PolicyCap was not handed on. ${advice} ${why}`, { cause });
    }
  }
  return published;
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
  const policyCap = created("PolicyCap");
  return {
    packageId,
    gateId: created("Gate").objectId,
    anchorCapId: created("AnchorCap").objectId,
    policyCapId: policyCap.objectId,
    policyCap,
    txDigest: digest,
  };
}
