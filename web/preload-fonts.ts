// Asks for the fonts of every page with the page itself. Without it the browser learns of them from the styles, and lays
// the first page out twice.
import type { HtmlTagDescriptor, Plugin } from "vite";

/** By the names of their files: those that each page begins with. */
const FIRST = ["instrument-sans", "newsreader-text", "newsreader-title"];

export function preloadFonts(): Plugin {
  return {
    name: "preload-fonts",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle = {} }) =>
        FIRST.flatMap((font) => {
          const file = Object.keys(bundle).find((name) => isFileOf(font, name));
          return file === undefined ? [] : [preload(file)];
        }),
    },
  };
}

/** The names of built files end in a hash of eight characters. */
const isFileOf = (font: string, file: string): boolean => new RegExp(`^assets/${font}-[\\w-]{8}\\.woff2$`).test(file);

function preload(file: string): HtmlTagDescriptor {
  const attrs = { rel: "preload", as: "font", type: "font/woff2", crossorigin: "", href: `./${file}` };
  return { tag: "link", attrs, injectTo: "head" };
}
