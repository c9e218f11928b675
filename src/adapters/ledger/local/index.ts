// The local ledger: what others need of it.
export { keptKeypair, loadOrCreateKeypair } from "./keypair.ts";
export { createLocalSui, type LocalSui } from "./local-sui.ts";
export { memoryLog } from "./memory-log.ts";
