// Replaces a line of a module as it is loaded, for a process that shows what the line is for. To be imported before it.
import { registerHooks } from "node:module";

export function replaceLine(module: string, line: string, by: string): void {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith(module)) return loaded;
      const source = String(loaded.source);
      if (!source.includes(line)) throw new Error(`${module} has changed.`);
      return { ...loaded, source: source.replace(line, by) };
    },
  });
}
