// Subsets the fonts when the app is built: the characters that styles/fonts.css names for each face, the weights and the
// optical sizes that the styles use, and no features that they switch off. All fonts together have a budget
// (scripts/bundle-size.ts).
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

type Axis = number | { readonly min: number; readonly max: number };

interface Face {
  /** Below node_modules/@fontsource-variable. */
  readonly source: string;
  readonly axes: Readonly<Record<string, Axis>>;
  readonly features: readonly string[];
}

const TEXT_FEATURES = ["kern", "liga", "ccmp", "locl", "mark", "mkmk"];
/** Digests show no ligatures, and a zero that is no O. */
const CODE_FEATURES = ["zero", "ccmp", "mark"];

// Newsreader has two optical sizes here: that of text in regular weight, and that of titles in medium weight.
const TEXT = { axes: { wght: 400, opsz: 19 }, features: TEXT_FEATURES };
const TITLE = { axes: { wght: 500, opsz: 32 }, features: TEXT_FEATURES };
const SANS = { axes: { wght: { min: 400, max: 600 } }, features: TEXT_FEATURES };

/** By their names in fonts.css. */
const FACES: Readonly<Record<string, Face>> = {
  "newsreader-text": { source: "newsreader/files/newsreader-latin-opsz-normal.woff2", ...TEXT },
  "newsreader-text-ext": { source: "newsreader/files/newsreader-latin-ext-opsz-normal.woff2", ...TEXT },
  "newsreader-title": { source: "newsreader/files/newsreader-latin-opsz-normal.woff2", ...TITLE },
  "newsreader-title-ext": { source: "newsreader/files/newsreader-latin-ext-opsz-normal.woff2", ...TITLE },
  "newsreader-italic": {
    source: "newsreader/files/newsreader-latin-opsz-italic.woff2",
    axes: { wght: 400, opsz: 24 },
    features: TEXT_FEATURES,
  },
  "instrument-sans": { source: "instrument-sans/files/instrument-sans-latin-wght-normal.woff2", ...SANS },
  "instrument-sans-ext": { source: "instrument-sans/files/instrument-sans-latin-ext-wght-normal.woff2", ...SANS },
  "jetbrains-mono": {
    source: "jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
    axes: { wght: 400 },
    features: CODE_FEATURES,
  },
};

const FONTS = fileURLToPath(new URL("../node_modules/@fontsource-variable/", import.meta.url));
const CACHE = fileURLToPath(new URL("../node_modules/.cache/portcullis-fonts/", import.meta.url));
const STYLES = new URL("src/styles/fonts.css", import.meta.url);

/** `@fonts/<name>.woff2` in a style sheet is the subset of that name. */
export function subsetFonts(): Plugin {
  return {
    name: "subset-fonts",
    config: async () => ({ resolve: { alias: { "@fonts": await madeFonts() } } }),
  };
}

/** The folder of the subsets. They are made once, until a font, a face or a range of characters changes. */
async function madeFonts(): Promise<string> {
  const styles = readFileSync(STYLES, "utf8");
  const sources = new Map(Object.values(FACES).map(({ source }) => [source, readFileSync(join(FONTS, source))]));
  const digest = createHash("sha256").update(styles).update(JSON.stringify(FACES));
  for (const bytes of sources.values()) digest.update(bytes);
  const folder = join(CACHE, digest.digest("hex").slice(0, 16));
  if (existsSync(folder)) return folder;
  // Two builds may run at the same time. Each makes its own, and one of them gets the name.
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  for (const [name, { source, axes, features }] of Object.entries(FACES)) {
    const subset = await subsetFont(sources.get(source) ?? Buffer.alloc(0), charactersOf(styles, name), {
      targetFormat: "woff2",
      variationAxes: axes,
      keepFeatures: features,
    });
    writeFileSync(join(draft, `${name}.woff2`), subset);
  }
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true });
  }
  return folder;
}

/** All characters of the face's `unicode-range`. */
function charactersOf(styles: string, name: string): string {
  const face = styles.split("@font-face").find((block) => block.includes(`"@fonts/${name}.woff2"`));
  const ranges = face?.match(/unicode-range:([^;}]+)/)?.[1];
  if (ranges === undefined) throw new Error(`styles/fonts.css has no unicode-range for ${name}.`);
  return [...ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)]
    .flatMap(([, first = "", last = first]) => {
      const start = Number.parseInt(first, 16);
      return Array.from({ length: Number.parseInt(last, 16) - start + 1 }, (_, i) => String.fromCodePoint(start + i));
    })
    .join("");
}
