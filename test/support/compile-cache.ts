// Node's compile cache for the processes that tests start. It halves the CPU time of a start: types are stripped and
// modules compiled once, and not in each of hundreds of processes. An entry counts only for the same text.
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../node_modules/.cache/portcullis-compile", import.meta.url));

/** For the environment of a process. One that cannot write into the folder goes without. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: FOLDER };
