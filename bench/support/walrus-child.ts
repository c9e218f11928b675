// The stand-in for Walrus, told by its parent how slow to be. Ends with it.
import { startWalrusStandIn } from "#test/support/walrus-stand-in/stand-in.ts";
import type { WalrusSettings } from "./peers.ts";

const walrus = await startWalrusStandIn();
process.on("message", ({ getMs = 0, putMs = 0 }: WalrusSettings) => {
  walrus.knobs.get.latencyMs = getMs;
  walrus.knobs.put.latencyMs = putMs;
  process.send?.({});
});
process.on("disconnect", () => process.exit());
process.send?.({ publisherUrl: walrus.publisherUrl, aggregatorUrl: walrus.aggregatorUrl });
