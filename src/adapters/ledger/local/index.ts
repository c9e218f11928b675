// The local ledger: what others need of it.

export { memoryLog } from "./chain/memory-log.ts";
export { createLocalSui, type LocalSui } from "./client/local-sui.ts";
export { keptKeypair, loadOrCreateKeypair } from "./keypair.ts";
