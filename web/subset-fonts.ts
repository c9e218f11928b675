// Makes the fonts when the app is built, and the style sheet that names them. A font has the letters that names in Europe
// are written with, in files of which every page loads the first, the weights and the optical sizes that the styles use, and no features
// that they switch off. Other scripts use the fonts of the system. All fonts together have a budget
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
  readonly family: string;
  /** For the style sheet: a weight, or a range of weights. */
  readonly weight: string;
  readonly axes: Readonly<Record<string, Axis>>;
  readonly features: readonly string[];
  /** The characters: the `unicode-range` of the style sheet. */
  readonly range: string;
}

/** What the pages themselves are written with. Every page loads these. */
const BASIC = "U+0020-007E, U+00A0, U+00B7, U+00D7, U+2013-2014, U+2018-2019, U+201C-201D, U+2026, U+2190-2193, U+2212";
/** Further letters of names and texts: loaded where there is one. The packages have them in two files. */
const LATIN =
  "U+00A1-00A5, U+00A7, U+00A9, U+00AB, U+00AD-00AE, U+00B0-00B3, U+00B5, U+00BB, U+00BD, U+00BF-00D6, U+00D8-00FF, U+0131, U+0152-0153, U+2010-2012, U+2015, U+201A, U+201E, U+2020, U+2022, U+2032-2033, U+2039-203A, U+20AC, U+2122, U+FFFD";
const EXTENDED =
  "U+0100-0130, U+0132-0137, U+0139-0148, U+014A-0151, U+0154-017E, U+0218-021B, U+1E80-1E85, U+1E9E, U+1EF2-1EF3";

const TEXT_FEATURES = ["kern", "liga", "ccmp", "locl", "mark", "mkmk"];
/** Digests show no ligatures, and a zero that is no O. */
const CODE_FEATURES = ["zero", "ccmp", "mark"];

// Newsreader has two optical sizes here: that of text in regular weight, and that of titles in medium weight.
const NEWSREADER = { family: "Newsreader", features: TEXT_FEATURES };
const TEXT = { ...NEWSREADER, weight: "400", axes: { wght: 400, opsz: 19 } };
const TITLE = { ...NEWSREADER, weight: "500", axes: { wght: 500, opsz: 32 } };
const MONO = { family: "JetBrains Mono", weight: "400" };
const SANS = {
  family: "Instrument Sans",
  features: TEXT_FEATURES,
  weight: "400 500",
  axes: { wght: { min: 400, max: 500 } },
};

/** A face in three files, by their names. */
const inParts = (name: string, face: Omit<Face, "range" | "source">, file: (script: string) => string) => ({
  [name]: { ...face, range: BASIC, source: file("latin") },
  [`${name}-latin`]: { ...face, range: LATIN, source: file("latin") },
  [`${name}-ext`]: { ...face, range: EXTENDED, source: file("latin-ext") },
});

const serif = (script: string) => `newsreader/files/newsreader-${script}-opsz-normal.woff2`;

/** By the names of their files. */
const FACES: Readonly<Record<string, Face>> = {
  ...inParts("newsreader-text", TEXT, serif),
  ...inParts("newsreader-title", TITLE, serif),
  ...inParts("instrument-sans", SANS, (script) => `instrument-sans/files/instrument-sans-${script}-wght-normal.woff2`),
  "jetbrains-mono": {
    ...MONO,
    axes: { wght: 400 },
    features: CODE_FEATURES,
    range: BASIC,
    source: "jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  },
};

/** A face of a font of the system: the first of these fonts that it has, scaled, and with these heights, in percent. */
type Fallback = Pick<Face, "family" | "weight"> & {
  readonly fonts: readonly string[];
  readonly size: number;
  readonly ascent: number;
  readonly descent: number;
};

const SERIF_FONTS = ["Times New Roman", "TimesNewRomanPSMT", "Liberation Serif"];

/**
 * Until a font is loaded, text is set in one that the system has, scaled to the widths of ours, so that next to nothing
 * moves when ours comes. Liberation has the widths of Times New Roman, Arial and Courier New. A face whose font is
 * missing counts as absent, and of two that are there the later one is used. `awaitFonts` (src/main.tsx) is for systems
 * that have none of these fonts.
 */
const FALLBACKS: readonly Fallback[] = [
  { ...TEXT, fonts: ["DejaVu Serif"], size: 77.7, ascent: 94.6, descent: 34.1 },
  { ...TITLE, fonts: ["DejaVu Serif"], size: 81.6, ascent: 90.1, descent: 32.5 },
  { ...SANS, fonts: ["DejaVu Sans"], size: 89.5, ascent: 108.4, descent: 27.9 },
  { ...MONO, fonts: ["DejaVu Sans Mono"], size: 99.7, ascent: 102.3, descent: 30.1 },
  { ...TEXT, fonts: SERIF_FONTS, size: 99.5, ascent: 73.9, descent: 26.6 },
  { ...TITLE, fonts: SERIF_FONTS, size: 104.6, ascent: 70.3, descent: 25.3 },
  { ...SANS, fonts: ["Arial", "ArialMT", "Liberation Sans"], size: 101.5, ascent: 95.6, descent: 24.6 },
  { ...MONO, fonts: ["Courier New", "CourierNewPSMT", "Liberation Mono"], size: 100, ascent: 102, descent: 30 },
];

const STYLES = [
  ...Object.entries(FACES).map(
    ([name, face]) =>
      `@font-face { font-family: "${face.family}"; font-weight: ${face.weight}; font-display: swap; src: url("./${name}.woff2") format("woff2"); unicode-range: ${face.range}; }`,
  ),
  ...FALLBACKS.map(
    ({ family, fonts, size, ascent, descent, ...face }) =>
      `@font-face { font-family: "${family} fallback"; font-weight: ${face.weight}; src: ${fonts.map((font) => `local("${font}")`).join(", ")}; size-adjust: ${size}%; ascent-override: ${ascent}%; descent-override: ${descent}%; line-gap-override: 0%; unicode-range: U+0020-024F, U+1E80-1EF3, U+2010-22FF; }`,
  ),
].join("\n");

const FONTS = fileURLToPath(new URL("node_modules/@fontsource-variable/", import.meta.url));
const CACHE = fileURLToPath(new URL("../node_modules/.cache/portcullis-fonts/", import.meta.url));

/** `@fonts/fonts.css` in a style sheet names them all. */
export function subsetFonts(): Plugin {
  return {
    name: "subset-fonts",
    config: async () => ({ resolve: { alias: { "@fonts": await madeFonts() } } }),
  };
}

/** The folder of the subsets. They are made once, until a font or a face changes. */
async function madeFonts(): Promise<string> {
  const sources = new Map(Object.values(FACES).map(({ source }) => [source, readFileSync(join(FONTS, source))]));
  const digest = createHash("sha256").update(STYLES).update(JSON.stringify(FACES));
  for (const bytes of sources.values()) digest.update(bytes);
  const folder = join(CACHE, digest.digest("hex").slice(0, 16));
  if (existsSync(folder)) return folder;
  // Two builds may run at the same time. Each makes its own, and one of them gets the name.
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  for (const [name, { source, axes, features, range }] of Object.entries(FACES)) {
    const subset = await subsetFont(sources.get(source) ?? Buffer.alloc(0), charactersOf(range), {
      targetFormat: "woff2",
      variationAxes: axes,
      keepFeatures: features,
    });
    writeFileSync(join(draft, `${name}.woff2`), subset);
  }
  writeFileSync(join(draft, "fonts.css"), STYLES);
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true });
  }
  return folder;
}

/** All characters of a `unicode-range`. */
function charactersOf(range: string): string {
  return [...range.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/gi)]
    .flatMap(([, first = "", last = first]) => {
      const start = Number.parseInt(first, 16);
      return Array.from({ length: Number.parseInt(last, 16) - start + 1 }, (_, i) => String.fromCodePoint(start + i));
    })
    .join("");
}
