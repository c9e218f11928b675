// The service without entries for its transparency log, to see what they cost: one line of a module is replaced as it is
// loaded.
import { registerHooks } from "node:module";

const MODULE = "/shared/logs/log-entries.ts";
const [WITH, WITHOUT] = ["if (entries.length === 0) return [];", "if (entries.length >= 0) return [];"];

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith(MODULE)) return loaded;
    const source = String(loaded.source);
    if (!source.includes(WITH)) throw new Error(`${MODULE} has changed.`);
    return { ...loaded, source: source.replace(WITH, WITHOUT) };
  },
});
await import("../../src/main.ts");
