// What to tell people about a network: where to get SUI, where to look things up, and which node did not answer.
import type { SuiNetwork } from "#environment.ts";

/** How to get SUI that is worth nothing. Undefined on mainnet. */
export function faucetHint(network: SuiNetwork, address: string): string | undefined {
  if (network === "mainnet") return undefined;
  if (network === "localnet")
    return `Get SUI for it from the faucet of your node: sui client faucet --address ${address}`;
  return `Get SUI for it from the faucet of ${network}: https://faucet.sui.io/?network=${network}&address=${address}`;
}

/** Undefined on a network that no explorer shows. */
export function explorerLink(network: SuiNetwork, kind: "tx" | "object", id: string): string | undefined {
  return network === "localnet" ? undefined : `https://suiscan.xyz/${network}/${kind}/${id}`;
}

/** The statuses of gRPC for a node that did not answer. A connection that failed is INTERNAL to the SDK. */
const UNREACHABLE = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"]);
/** The statuses with which a node, or a server that is none, answers something else than it was asked for. */
const FAILED = new Set(["INTERNAL", "UNKNOWN", "UNIMPLEMENTED", "NOT_FOUND", "UNAUTHENTICATED", "PERMISSION_DENIED"]);

/** The error in words. It names the node when the node is the cause. */
export function explain(error: unknown, node: string): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : error.name;
  const isUnreachable = UNREACHABLE.has(code) || code === "DeadlineExceeded" || error.message === "fetch failed";
  const advice = "Check the network and --url.";
  if (isUnreachable) return `The full node ${host(node)} does not answer: ${error.message}. ${advice}`;
  return FAILED.has(code) ? `The full node ${host(node)} failed: ${error.message}. ${advice}` : error.message;
}

/** Without the path and the credentials that a URL may hold. */
function host(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "of --url";
}
