// With `node --import`: `portcullis/client` and the other entries of the package come from src/, so that a program that
// imports the package by its name runs without a build. The entries are those of package.json.
import { registerHooks } from "node:module";
import packageJson from "../../package.json" with { type: "json" };

const entries = new Map<string, string>(
  Object.entries(packageJson.exports).flatMap(([name, entry]) => {
    if (typeof entry === "string") return [];
    const source = entry.default.replace(/^\.\/dist\//, "../../src/").replace(/\.js$/, ".ts");
    return [[`portcullis${name.slice(1)}`, new URL(source, import.meta.url).href] as const];
  }),
);

registerHooks({
  resolve: (specifier, context, next) => next(entries.get(specifier) ?? specifier, context),
});
