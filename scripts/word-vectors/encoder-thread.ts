// A worker thread that encodes tokens, a batch for each message.
import { parentPort } from "node:worker_threads";
import { createEncoder } from "./bert.ts";
import { readTensors } from "./model-files.ts";

const encode = createEncoder(readTensors());
parentPort?.on("message", (tokens: readonly number[]) => parentPort?.postMessage({ tokens, vectors: encode(tokens) }));
parentPort?.postMessage({ tokens: [], vectors: new Float64Array() });
