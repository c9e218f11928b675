// The package's types, as an integrator's compiler reads them.
import { execFile } from "node:child_process";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { directoryForTest } from "#test/support/service.ts";
import { installedFolder, packageFolder } from "./support/installed.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");
/** Our declarations are checked, and those of the language are not. */
const OPTIONS = { strict: true, module: "nodenext", noEmit: true, skipLibCheck: false, skipDefaultLibCheck: true };

/** What the compiler says about the project in a folder. */
async function compile(folder: string, compilerOptions: object, files: readonly string[]): Promise<string> {
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const compiled = promisify(execFile)(process.execPath, [TSC, "-p", folder, "--checkers", "1"], { cwd: folder });
  return compiled.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

test.for<[string, object]>([
  ["in a browser", { lib: ["es2022", "dom", "dom.iterable"], types: [] }],
  ["in Node", { lib: ["es2022"], types: ["node"], typeRoots: [join(ROOT, "node_modules", "@types")] }],
])(
  "An integrator's file compiles with --strict, ES2022 and NodeNext, declarations included, %s",
  async ([, options]) => {
    const folder = await directoryForTest();
    symlinkSync(join(installedFolder(), "node_modules"), join(folder, "node_modules"), "dir");
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    cpSync(fileURLToPath(new URL("./programs/integrator.ts", import.meta.url)), join(folder, "integrator.ts"));
    expect(await compile(folder, { ...OPTIONS, target: "es2022", ...options }, ["integrator.ts"])).toBe("");
  },
);

test("The plain types of every route are those that the schemas of the contract have", async () => {
  const folder = await directoryForTest();
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "dir");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const parts = ["Body", "Params", "Query", "Reply", "MinimalReply"];
  // Each must take what the other gives. Only what is read-only differs.
  const lines = parts.flatMap((part) => [
    `import type { ${part} as Built${part} } from ${JSON.stringify(join(packageFolder(), "dist/contract/routes.js"))};`,
    `import type { ${part} } from ${JSON.stringify(join(ROOT, "src/contract/routes.ts"))};`,
    `type Wrong${part} = { [N in RouteName]: [Same<Writable<${part}<N>>, Writable<Built${part}<N>>>] extends [true] ? never : N }[RouteName];`,
    `export const wrong${part}: [Wrong${part}] extends [never] ? true : Wrong${part} = true;`,
  ]);
  const source = [
    `import type { RouteName } from ${JSON.stringify(join(ROOT, "src/contract/paths.ts"))};`,
    "type Writable<T> = { -readonly [K in keyof T]: Writable<T[K]> };",
    "type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;",
    ...lines,
  ];
  writeFileSync(join(folder, "same.ts"), source.join("\n"));
  const options = { ...OPTIONS, target: "es2024", lib: ["es2024", "esnext.iterator", "esnext.array"], types: ["node"] };
  const more = { skipLibCheck: true, exactOptionalPropertyTypes: true, allowImportingTsExtensions: true };
  const typeRoots = [join(ROOT, "node_modules", "@types")];
  expect(await compile(folder, { ...options, ...more, typeRoots }, ["same.ts"])).toBe("");
});
