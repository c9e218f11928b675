// Makes the table of look-alike characters (src/core/names/confusables.ts) from Unicode's confusables.txt:
//   node scripts/confusables.ts <confusables.txt>
// The file is at https://www.unicode.org/Public/security/latest/confusables.txt, and in the sources of ICU.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const TABLE = fileURLToPath(new URL("../src/core/names/confusables.ts", import.meta.url));

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("Name the file: node scripts/confusables.ts <confusables.txt>");
const text = readFileSync(path, "utf8");
const version = /^# Version: (\S+)$/m.exec(text)?.[1];
if (version === undefined) throw new Error(`${path} does not name the version of Unicode.`);

/** The characters that look like each prototype, in both as hexadecimal code points. */
const sources = new Map<string, number[]>();
for (const [, source = "", target = ""] of text.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/gm)) {
  const prototype = target.trim().split(" ").map(hex).join("_");
  sources.set(prototype, [...(sources.get(prototype) ?? []), Number.parseInt(source, 16)]);
}

function hex(digits: string): string {
  return Number.parseInt(digits, 16).toString(16);
}

/** Ascending. Each but the first is the difference from the one before. */
function differences(points: readonly number[]): string {
  const sorted = points.toSorted((a, b) => a - b);
  return sorted.map((point, i) => (point - (sorted[i - 1] ?? 0)).toString(16)).join(",");
}

const table = [...sources].map(([prototype, points]) => `${prototype}=${differences(points)}`).join(";");
writeFileSync(
  TABLE,
  `// Made by scripts/confusables.ts from Unicode's confusables.txt, whose notice is in NOTICE. Do not edit.

/** The version of Unicode. */
export const CONFUSABLES_VERSION = "${version}";

/**
 * \`prototype=character,character,…;…\` in hexadecimal. A prototype may have several code points, joined by \`_\`. The
 * characters ascend, and each but the first is the difference from the one before.
 */
export const CONFUSABLES =
  "${table}";
`,
);
