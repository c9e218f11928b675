// openapi-typescript builds its output with the API of TypeScript 5. Ours is version 7, which has none.
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-5" : specifier, context),
});
