// Frames to a GIF. All share one palette, which is made of the last frame and the busiest ones; a frame that is like the
// one before only makes it last longer.
import gifenc from "gifenc";
import { PNG } from "pngjs";
import type { Frame } from "./film.ts";

const COLOURS = 128;
const SAMPLED_FRAMES = 8;

export function gifOf(frames: readonly Frame[]): Uint8Array {
  const images = frames.map(({ png, milliseconds }) => ({ ...PNG.sync.read(png), milliseconds }));
  const [first] = images;
  if (first === undefined) throw new Error("there are no frames");
  const { width, height } = first;
  const step = Math.max(1, Math.floor(images.length / SAMPLED_FRAMES));
  const sample = Buffer.concat(images.filter((_, i) => i % step === 0).map(({ data }) => data));
  const palette = gifenc.quantize(sample, COLOURS - 1);
  // Pixels that do not change are transparent, which compresses to almost nothing.
  const transparentIndex = palette.length;
  const gif = gifenc.GIFEncoder();
  let shown: Uint8Array | undefined;
  for (const { data, milliseconds } of images) {
    const indices = gifenc.applyPalette(data, palette);
    const pixels = shown === undefined ? indices : changedPixels(shown, indices, transparentIndex);
    gif.writeFrame(pixels, width, height, {
      ...(shown === undefined && { palette: [...palette, [0, 0, 0]] }),
      delay: milliseconds,
      dispose: 1,
      ...(shown !== undefined && { transparent: true, transparentIndex }),
    });
    shown = indices;
  }
  gif.finish();
  return gif.bytes();
}

function changedPixels(before: Uint8Array, now: Uint8Array, transparentIndex: number): Uint8Array {
  return now.map((index, i) => (before[i] === index ? transparentIndex : index));
}
