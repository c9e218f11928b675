// gifenc has no types of its own. What we use of it.
declare module "gifenc" {
  type Palette = number[][];
  interface FrameOptions {
    palette?: Palette;
    delay?: number;
    dispose?: number;
    transparent?: boolean;
    transparentIndex?: number;
  }
  interface Encoder {
    writeFrame(indices: Uint8Array, width: number, height: number, options?: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8Array, colours: number): Palette;
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array;
  };
  export default gifenc;
}
