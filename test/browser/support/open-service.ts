// The real service with its pages, from a fresh database, for one test; on stand-ins of Walrus and Sui where a test
// says so.
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { loadWeb, type WebFiles } from "#http/static/app-files.ts";
import { type GrpcChain, startGrpcChain } from "#test/support/local-chain.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";
import { startWalrusStandIn, type WalrusStandIn } from "#test/support/walrus-stand-in/walrus-stand-in.ts";

const DIST = fileURLToPath(new URL("../../../web/dist/", import.meta.url)).replace(/[\\/]$/, "");

interface OpenOptions {
  /** A file; left out, nothing is on disk. */
  readonly database?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export async function openService(options: OpenOptions = {}): Promise<Service> {
  return serviceForTest({ ...options, web: await pages() });
}

/** On a Walrus whose knobs the test has in hand. */
export async function openOnWalrus(): Promise<Service & { readonly walrus: WalrusStandIn }> {
  const walrus = await startWalrusStandIn();
  onTestFinished(() => walrus.close());
  const { publisherUrl: BLOBSTORE_PUBLISHER, aggregatorUrl: BLOBSTORE_AGGREGATOR } = walrus;
  return { ...(await openService({ environment: { BLOBSTORE_PUBLISHER, BLOBSTORE_AGGREGATOR } })), walrus };
}

/** On a full node of Sui, or what looks like one from outside. */
export async function openOnSui(): Promise<Service & { readonly chain: GrpcChain }> {
  const chain = await startGrpcChain();
  onTestFinished(() => chain.stop());
  const environment = {
    SUI_NETWORK: "localnet",
    SUI_URL: chain.node.baseUrl,
    SUI_KEYSTORE: (chain.signer as { getSecretKey?(): string }).getSecretKey?.() ?? "",
    SUI_PACKAGE_ID: chain.packageId,
    SUI_GATE_ID: chain.gateId,
  };
  return { ...(await openService({ environment })), chain };
}

let loaded: WebFiles | undefined;

async function pages(): Promise<WebFiles> {
  loaded ??= await loadWeb(DIST);
  if (loaded !== undefined) return loaded;
  throw new Error("web/dist is not there. `npm test` builds it; by hand: node scripts/setup.mjs --web");
}
