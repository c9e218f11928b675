// The stand-in for Walrus as a process. The parent sets its latencies, and it exits with the parent.
import { startWalrusStandIn } from "#test/support/walrus-stand-in/walrus-stand-in.ts";
import type { WalrusSettings } from "./walrus-process.ts";

const walrus = await startWalrusStandIn();
process.on("message", ({ getMs = 0, putMs = 0 }: WalrusSettings) => {
  walrus.knobs.get.latencyMs = getMs;
  walrus.knobs.put.latencyMs = putMs;
  process.send?.({});
});
process.on("disconnect", () => process.exit());
process.send?.({ publisherUrl: walrus.publisherUrl, aggregatorUrl: walrus.aggregatorUrl });
