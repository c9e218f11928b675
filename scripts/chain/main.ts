// npm run chain -- publish --network testnet
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { loadKeypair } from "#adapters/ledger/sui/keystore.ts";
import { fullNode } from "#config.ts";
import { SUI_NETWORKS, type SuiNetwork } from "#environment.ts";
import { publish } from "./publish.ts";

const HELP = `Publishes the Move package of Portcullis (move/build/gate.json) on Sui.

  npm run chain -- publish --network <${SUI_NETWORKS.join("|")}> [options]

  --keystore <file|suiprivkey1…>  the key that signs and pays (default: SUI_KEYSTORE, or the Sui command line's keystore)
  --address <0x…>                 the key to use when the keystore has several (default: SUI_ADDRESS)
  --policy-owner <0x…>            the address that gets the PolicyCap and sets the policy on the chain (default: the signer)
  --immutable                     make the package immutable, so that nobody can change its rules
  --url <url>                     the full node's gRPC URL (default: the network's public node)

It prints the environment variables for the service. The signer keeps the AnchorCap, because the service signs with its
key. Without --immutable, the signer also keeps the UpgradeCap, whose holder can change the package's rules later.`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    network: { type: "string" },
    keystore: { type: "string" },
    address: { type: "string" },
    "policy-owner": { type: "string" },
    immutable: { type: "boolean" },
    url: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});

if (values.help || positionals.length === 0) console.log(HELP);
else await main().catch(fail);

async function main(): Promise<void> {
  if (positionals[0] !== "publish" || positionals.length > 1)
    throw new Error(`The only command is publish.\n\n${HELP}`);
  const network = SUI_NETWORKS.find((name) => name === values.network) ?? missingNetwork();
  const policyOwner = values["policy-owner"];
  if (policyOwner !== undefined && !/^0x[0-9a-f]{64}$/.test(policyOwner)) {
    throw new Error("--policy-owner must be 0x and 64 hex digits.");
  }
  const keystore = values.keystore ?? process.env.SUI_KEYSTORE ?? commandLineKeystore();
  const signer = loadKeypair({ keystore, address: values.address ?? process.env.SUI_ADDRESS });
  const { core } = new SuiGrpcClient({ network, baseUrl: values.url ?? fullNode(network) });
  const bytecode = JSON.parse(readFileSync(new URL("../../move/build/gate.json", import.meta.url), "utf8"));
  const say = (line: string) => console.error(line);
  const { packageId, gateId, txDigest } = await publish({
    client: core,
    signer,
    bytecode,
    policyOwner,
    immutable: values.immutable,
    say,
  });
  console.error(`published in transaction ${txDigest}. For the environment of the service:\n`);
  const shown = keystore.startsWith("suiprivkey1") ? "<the key you signed with>" : keystore;
  console.log(
    [`SUI_NETWORK=${network}`, `SUI_KEYSTORE=${shown}`, `SUI_PACKAGE_ID=${packageId}`, `SUI_GATE_ID=${gateId}`].join(
      "\n",
    ),
  );
}

function missingNetwork(): SuiNetwork {
  throw new Error(`Name the network with --network: ${SUI_NETWORKS.join(", ")}.`);
}

function commandLineKeystore(): string {
  const path = join(homedir(), ".sui", "sui_config", "sui.keystore");
  if (!existsSync(path)) throw new Error("Name the key that signs with --keystore <file>, or set SUI_KEYSTORE.");
  return path;
}

function fail(error: unknown): void {
  console.error(`chain: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
