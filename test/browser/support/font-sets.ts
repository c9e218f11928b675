// Fonts as a machine may have them. The browser gets a configuration that offers these alone, so that no test depends on
// what is installed.
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { canInstall, installPackages } from "./debian-packages.ts";

interface Fonts {
  /** The package of Debian that has them. */
  readonly from: string;
  readonly files: readonly string[];
}

const FONT_SETS = {
  /** They have the widths of Arial, Times New Roman and Courier New. */
  Liberation: {
    from: "fonts-liberation",
    files: [
      "LiberationSans-Regular.ttf",
      "LiberationSerif-Regular.ttf",
      "LiberationSerif-Italic.ttf",
      "LiberationMono-Regular.ttf",
    ],
  },
  DejaVu: { from: "fonts-dejavu-core", files: ["DejaVuSans.ttf", "DejaVuSerif.ttf", "DejaVuSansMono.ttf"] },
  /** One that the styles do not know. Without any font at all, Chromium itself ends as soon as a page has text. */
  "other fonts": { from: "fonts-dejavu-core", files: ["DejaVuSans-Bold.ttf"] },
} as const satisfies Record<string, Fonts>;

export type FontSet = keyof typeof FONT_SETS;

const FOLDERS = ["/usr/share/fonts", "/usr/local/share/fonts"];

/** Writes a file for FONTCONFIG_FILE, in a folder of the browser's own. */
export async function fontConfiguration(name: FontSet, home: string): Promise<string> {
  const { from, files } = FONT_SETS[name];
  const fonts = join(home, "fonts");
  await mkdir(fonts);
  const isThere = await linkFonts(files, fonts);
  if (!isThere && canInstall()) await installPackages(from);
  if (!isThere && !(await linkFonts(files, fonts)))
    throw new Error(`The test needs ${files.join(", ")}. Install them (on Debian: apt-get install ${from}).`);
  const path = join(home, "fonts.conf");
  await writeFile(path, `<fontconfig><dir>${fonts}</dir><cachedir>${home}</cachedir></fontconfig>`);
  return path;
}

/** False, and no links, if one of the files is not installed. */
async function linkFonts(files: readonly string[], folder: string): Promise<boolean> {
  const listed = await Promise.all(FOLDERS.map((root) => filesIn(root)));
  const installed = new Map(listed.flat().map((path) => [basename(path), path]));
  const found = files.flatMap((file) => installed.get(file) ?? []);
  if (found.length < files.length) return false;
  for (const path of found) await symlink(path, join(folder, basename(path)));
  return true;
}

async function filesIn(folder: string): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true }).catch(() => []);
  return paths.map((path) => join(folder, path));
}
