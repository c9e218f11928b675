// Starts the real service with its pages and a fresh database for one test, if wanted with a stand-in of Walrus or Sui.
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Overrides } from "#compose.ts";
import { loadWeb, type WebFiles } from "#http/static/app-files.ts";
import { type KeyedService, keyedServiceForTest } from "#test/support/keyed-service.ts";
import { type GrpcChain, startGrpcChain } from "#test/support/local-chain.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";
import { startWalrusStandIn, type WalrusStandIn } from "#test/support/walrus-stand-in/walrus-stand-in.ts";

const DIST = fileURLToPath(new URL("../../../web/dist/", import.meta.url)).replace(/[\\/]$/, "");

export async function openService(
  environment: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
): Promise<Service> {
  return serviceForTest({ environment, overrides, web: await pages() });
}

/** With identities, and the key of an admin. */
export async function openWithKeys(environment: Readonly<Record<string, string>> = {}): Promise<KeyedService> {
  return keyedServiceForTest({ environment, web: await pages() });
}

/** With a stand-in of Walrus, whose faults the test controls. */
export async function openOnWalrus(): Promise<Service & { readonly walrus: WalrusStandIn }> {
  const walrus = await startWalrusStandIn();
  onTestFinished(() => walrus.close());
  const { publisherUrl: BLOBSTORE_PUBLISHER, aggregatorUrl: BLOBSTORE_AGGREGATOR } = walrus;
  return { ...(await openService({ BLOBSTORE_PUBLISHER, BLOBSTORE_AGGREGATOR })), walrus };
}

/** With a stand-in of a full node of Sui, of any network. */
export async function openOnSui(network = "localnet"): Promise<Service & { readonly chain: GrpcChain }> {
  const chain = await startGrpcChain();
  onTestFinished(() => chain.stop());
  const environment = {
    SUI_NETWORK: network,
    SUI_URL: chain.node.baseUrl,
    SUI_KEYSTORE: (chain.signer as { getSecretKey?(): string }).getSecretKey?.() ?? "",
    SUI_PACKAGE_ID: chain.packageId,
    SUI_GATE_ID: chain.gateId,
  };
  return { ...(await openService(environment)), chain };
}

let loaded: WebFiles | undefined;

async function pages(): Promise<WebFiles> {
  loaded ??= await loadWeb(DIST);
  if (loaded !== undefined) return loaded;
  throw new Error("web/dist does not exist. Build it with: node scripts/setup.mjs --web");
}
