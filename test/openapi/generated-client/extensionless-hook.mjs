// With `node --import`: generated TypeScript imports without file extensions, as bundlers allow.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    for (const suffix of ["", ".ts", "/index.ts"]) {
      try {
        return next(`${specifier}${suffix}`, context);
      } catch (error) {
        if (suffix === "/index.ts" || !specifier.startsWith(".")) throw error;
      }
    }
    return next(specifier, context);
  },
});
