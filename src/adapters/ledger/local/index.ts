// The local ledger: what compose.ts needs of it.
export type { TransactionLog } from "./chain.ts";
export { loadOrCreateKeypair } from "./keypair.ts";
export { createLocalSui, LocalSui, type LocalSuiOptions } from "./local-sui.ts";
export { memoryLog } from "./memory-log.ts";
