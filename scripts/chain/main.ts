// npm run chain -- publish --network testnet
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { loadKeypair } from "#adapters/ledger/sui/keystore.ts";
import { inSui } from "#adapters/ledger/sui/payment/gas.ts";
import { fullNode } from "#config.ts";
import { SUI_NETWORKS, type SuiNetwork } from "#environment.ts";
import { explain, explorerLink, faucetHint } from "./network-hints.ts";
import { estimatePublish, type Published, publish } from "./publish.ts";

const HELP = `Publishes the Move package of Portcullis (move/build/gate.json) on Sui.

  npm run chain -- publish --network <${SUI_NETWORKS.join("|")}> [options]

  --dry-run                       say what it would cost, and send nothing
  --keystore <file|suiprivkey1…>  the key that signs and pays (default: SUI_KEYSTORE, or the Sui command line's keystore)
  --address <0x…>                 the key to use when the keystore has several (default: SUI_ADDRESS)
  --policy-owner <0x…>            the address that gets the PolicyCap and sets the policy on the chain (default: the signer)
  --names <plain|pseudonyms>      pseudonyms hide agents and namespaces on the gate, for ever (default: plain)
  --upgradeable                   keep the UpgradeCap, whose holder can change the rules and mint any receipt
  --url <url>                     the full node's gRPC URL (default: SUI_URL, or the network's public node)

It prints the environment variables for the service. The signer keeps the AnchorCap, because the service signs with its
key. The package is made immutable, so that nobody can change its rules, unless --upgradeable is given. docs/sui.md has
the costs, and a walk through testnet.`;

const OPTIONS = {
  network: { type: "string" },
  "dry-run": { type: "boolean" },
  keystore: { type: "string" },
  address: { type: "string" },
  "policy-owner": { type: "string" },
  names: { type: "string" },
  upgradeable: { type: "boolean" },
  url: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

const NAMES = ["plain", "pseudonyms"] as const;
const say = (line: string) => console.error(line);
let node = "";

await main().catch((error: unknown) => {
  say(`chain: ${explain(error, node)}`);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: OPTIONS });
  if (values.help || positionals.length === 0) return console.log(HELP);
  if (positionals[0] !== "publish" || positionals.length > 1)
    throw new Error(`The only command is publish.\n\n${HELP}`);
  const network = SUI_NETWORKS.find((name) => name === values.network) ?? missingNetwork();
  const policyOwner = values["policy-owner"];
  if (policyOwner !== undefined && !/^0x[0-9a-f]{64}$/.test(policyOwner)) {
    throw new Error("--policy-owner must be 0x and 64 hex digits.");
  }
  const names = NAMES.find((kind) => kind === (values.names ?? "plain"));
  if (names === undefined) throw new Error(`--names must be ${NAMES.join(" or ")}.`);
  const keystore = values.keystore ?? process.env.SUI_KEYSTORE ?? commandLineKeystore();
  const address = values.address ?? process.env.SUI_ADDRESS;
  const url = values.url ?? process.env.SUI_URL;
  if (url !== undefined) refuseUrl(URL.parse(url));
  node = url ?? fullNode(network);
  const signer = loadKeypair({ keystore, address });
  const { core: client } = new SuiGrpcClient({ network, baseUrl: node });
  const bytecode = JSON.parse(readFileSync(new URL("../../move/build/gate.json", import.meta.url), "utf8"));
  const { upgradeable } = values;

  const { cost, budget, funds, isAffordable } = await estimatePublish({ client, signer, bytecode, upgradeable });
  say(
    `Publishing costs about ${inSui(cost)}, and ${inSui(budget)} at most. ${signer.toSuiAddress()} has ${inSui(funds)}.`,
  );
  const missing = isAffordable ? undefined : faucetHint(network, signer.toSuiAddress());
  if (values["dry-run"]) {
    if (names === "pseudonyms") say("To tell the gate that its names are pseudonyms costs some 0.002 SUI more.");
    if (policyOwner !== undefined) say("To hand on the PolicyCap costs some 0.002 SUI more.");
    if (missing !== undefined) say(missing);
    return say("Nothing was sent.");
  }
  if (!isAffordable) throw new Error(`The signer has too little SUI. ${missing ?? "Send it some."}`);

  const onPublished = (published: Published) => {
    report(network, published, upgradeable === true);
    console.log(environment({ network, keystore, address, url, names, ...published }));
  };
  await publish({ client, signer, bytecode, policyOwner, names, upgradeable, onPublished, say });
}

function report(network: SuiNetwork, { packageId, gateId, txDigest }: Published, isUpgradeable: boolean): void {
  const lines = [
    ["transaction", txDigest, explorerLink(network, "tx", txDigest)],
    ["package", packageId, explorerLink(network, "object", packageId)],
    ["gate", gateId, explorerLink(network, "object", gateId)],
  ].map(([name, id, link]) => `  ${name} ${id}${link === undefined ? "" : `\n    ${link}`}`);
  say(["published:", ...lines].join("\n"));
  say(
    isUpgradeable
      ? "The signer keeps the UpgradeCap: whoever holds it can change the rules, and readers of receipts are right to ask who."
      : "The package is immutable: nobody can change its rules.",
  );
  say("For the environment of the service:\n");
}

interface Settings extends Published {
  readonly network: SuiNetwork;
  readonly keystore: string;
  readonly address: string | undefined;
  readonly url: string | undefined;
  readonly names: (typeof NAMES)[number];
}

function environment({ network, keystore, address, url, names, packageId, gateId }: Settings): string {
  const shown = keystore.startsWith("suiprivkey1") ? "<the key you signed with>" : keystore;
  return [
    `SUI_NETWORK=${network}`,
    `SUI_KEYSTORE=${shown}`,
    ...(address === undefined ? [] : [`SUI_ADDRESS=${address}`]),
    ...(url === undefined ? [] : [`SUI_URL=${url}`]),
    `SUI_PACKAGE_ID=${packageId}`,
    `SUI_GATE_ID=${gateId}`,
    ...(names === "pseudonyms" ? [`LEDGER_NAMES=${names}`] : []),
  ].join("\n");
}

function refuseUrl(url: URL | null): void {
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error("--url must begin with http:// or https://.");
  if (url.username + url.password !== "") throw new Error("--url must not have a user or a password.");
}

function missingNetwork(): never {
  throw new Error(`Name the network with --network: ${SUI_NETWORKS.join(", ")}.`);
}

function commandLineKeystore(): string {
  const path = join(homedir(), ".sui", "sui_config", "sui.keystore");
  if (!existsSync(path)) throw new Error("Name the key that signs with --keystore <file>, or set SUI_KEYSTORE.");
  return path;
}
