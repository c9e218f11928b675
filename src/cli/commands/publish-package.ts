import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { inSui, type Published, packagePublisher } from "#compose/package-publisher.ts";
import { fullNode } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { type Environment, SUI_NETWORKS, type SuiNetwork } from "#environment.ts";

export const runs: Runs<"chain publish"> = {
  async "chain publish"(invocation) {
    const settings = settingsIn(invocation.values, await invocation.serviceEnvironment());
    const node = settings.url ?? fullNode(settings.network);
    try {
      await publishWith(invocation, settings, node);
    } catch (error) {
      throw configurationError(explain(error, node));
    }
  },
};

type Settings = ReturnType<typeof settingsIn>;

function settingsIn(values: Invocation<"chain publish">["values"], environment: Environment) {
  const { network } = values;
  if (network === undefined) throw new UsageError(`Name the network with --network: ${SUI_NETWORKS.join(", ")}.`);
  const { policyOwner } = values;
  if (policyOwner !== undefined && !/^0x[0-9a-f]{64}$/.test(policyOwner))
    throw new UsageError("--policy-owner must be 0x and 64 hex digits.");
  const url = values.url ?? environment.SUI_URL;
  if (url !== undefined) refuseUrl(URL.parse(url));
  return {
    network,
    keystore: values.keystore ?? environment.SUI_KEYSTORE ?? commandLineKeystore(environment.HOME),
    address: values.address ?? environment.SUI_ADDRESS,
    url,
    names: values.names ?? "plain",
    policyOwner,
    upgradeable: values.upgradeable ?? false,
  };
}

function refuseUrl(url: URL | null): void {
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError("--url must begin with http:// or https://.");
  if (url.username + url.password !== "") throw new UsageError("--url must not have a user or a password.");
}

function commandLineKeystore(home: string = homedir()): string {
  const path = join(home, ".sui", "sui_config", "sui.keystore");
  if (!existsSync(path)) throw new UsageError("Name the key that signs with --keystore <file>, or set SUI_KEYSTORE.");
  return path;
}

async function publishWith(
  { values, say, json, print }: Invocation<"chain publish">,
  settings: Settings,
  node: string,
): Promise<void> {
  const { network, names, policyOwner, upgradeable } = settings;
  const publisher = packagePublisher({ ...settings, node });
  const { cost, budget, funds, isAffordable } = await publisher.estimate({ upgradeable });
  await say(
    `Publishing costs about ${inSui(cost)}, and ${inSui(budget)} at most. ${publisher.address} has ${inSui(funds)}.`,
  );
  const missing = isAffordable ? undefined : faucetHint(network, publisher.address);
  if (values.dryRun) {
    if (names === "pseudonyms") await say("Setting pseudonyms costs about 0.002 SUI more.");
    if (policyOwner !== undefined) await say("Transferring the PolicyCap costs about 0.002 SUI more.");
    if (missing !== undefined) await say(missing);
    await say("Nothing was sent.");
    if (values.json) await json({ costMist: String(cost), mostMist: String(budget), fundsMist: String(funds) });
    return;
  }
  if (!isAffordable) throw new Error(`The signer has too little SUI. ${missing ?? "Send it some."}`);
  // Package and gate are shown at once: what follows may fail.
  let shown = Promise.resolve();
  const onPublished = (published: Published) => {
    const variables = serviceSettings(settings, published);
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    shown = say(report(network, published, upgradeable)).then(() =>
      values.json ? json({ ...published, settings: variables }) : print(lines.join("\n")),
    );
    shown.catch(() => undefined);
  };
  try {
    await publisher.publish({ policyOwner, names, upgradeable, onPublished, say: (line) => void say(line) });
  } finally {
    await shown;
  }
}

function report(network: SuiNetwork, { packageId, gateId, txDigest }: Published, isUpgradeable: boolean): string {
  const lines = [
    ["transaction", txDigest, explorerLink(network, "tx", txDigest)],
    ["package", packageId, explorerLink(network, "object", packageId)],
    ["gate", gateId, explorerLink(network, "object", gateId)],
  ].map(([name, id, link]) => `  ${name} ${id}${link === undefined ? "" : `\n    ${link}`}`);
  const owner = isUpgradeable
    ? "The signer keeps the UpgradeCap: whoever holds it can change the rules."
    : "The package is immutable: nobody can change its rules.";
  return ["published:", ...lines, owner, "For the environment of the service:\n"].join("\n");
}

function serviceSettings({ network, keystore, address, url, names }: Settings, published: Published) {
  return {
    SUI_NETWORK: network,
    SUI_KEYSTORE: keystore.startsWith("suiprivkey1") ? "<the key you signed with>" : keystore,
    ...(address !== undefined && { SUI_ADDRESS: address }),
    ...(url !== undefined && { SUI_URL: url }),
    SUI_PACKAGE_ID: published.packageId,
    SUI_GATE_ID: published.gateId,
    ...(names === "pseudonyms" && { LEDGER_NAMES: names }),
  };
}

/** How to get SUI that is worth nothing. Undefined on mainnet. */
function faucetHint(network: SuiNetwork, address: string): string | undefined {
  if (network === "mainnet") return undefined;
  if (network === "localnet")
    return `Get SUI for it from the faucet of your node: sui client faucet --address ${address}`;
  return `Get SUI for it from the faucet of ${network}: https://faucet.sui.io/?network=${network}&address=${address}`;
}

function explorerLink(network: SuiNetwork, kind: "tx" | "object", id: string): string | undefined {
  return network === "localnet" ? undefined : `https://suiscan.xyz/${network}/${kind}/${id}`;
}

/** The statuses of gRPC for a node that did not answer. A connection that failed is INTERNAL to the SDK. */
const UNREACHABLE = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"]);
/** The statuses with which a node, or a server that is none, answers something else than it was asked for. */
const FAILED = new Set(["INTERNAL", "UNKNOWN", "UNIMPLEMENTED", "NOT_FOUND", "UNAUTHENTICATED", "PERMISSION_DENIED"]);

function explain(error: unknown, node: string): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : error.name;
  const isUnreachable = UNREACHABLE.has(code) || code === "DeadlineExceeded" || error.message === "fetch failed";
  const advice = "Check the network and --url.";
  if (isUnreachable) return `The full node ${host(node)} does not answer: ${error.message}. ${advice}`;
  return FAILED.has(code) ? `The full node ${host(node)} failed: ${error.message}. ${advice}` : error.message;
}

/** Without the path and the credentials that a URL may hold. */
const host = (url: string): string => (URL.canParse(url) ? new URL(url).host : "of --url");
