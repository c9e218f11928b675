// Reader of the safetensors format: the length of a header, the header in JSON, then the tensors' bytes.

/** A tensor's values, row after row. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

interface Entry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** Gives tensors by name. Each is decoded when it is asked for. */
export function readSafetensors(file: Uint8Array): (name: string) => Tensor {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const headerLength = Number(view.getBigUint64(0, true));
  const header = new TextDecoder().decode(file.subarray(8, 8 + headerLength));
  const entries = new Map<string, Entry>(Object.entries(JSON.parse(header)));

  return (name) => {
    const entry = entries.get(name);
    if (entry === undefined) throw new Error(`The model has no tensor ${name}.`);
    const { dtype, shape, data_offsets } = entry;
    const [from, to] = data_offsets;
    const data = new DataView(file.buffer, file.byteOffset + 8 + headerLength + from, to - from);
    return { shape, values: decode(data, dtype) };
  };
}

function decode(data: DataView, dtype: string): Float64Array {
  if (dtype === "F32")
    return Float64Array.from({ length: data.byteLength / 4 }, (_, i) => data.getFloat32(4 * i, true));
  if (dtype !== "F16") throw new Error(`Tensors of ${dtype} are not supported.`);
  const values = new Float64Array(data.byteLength / 2);
  for (let i = 0; i < values.length; i++) values[i] = HALF_PRECISION[data.getUint16(2 * i, true)] as number;
  return values;
}

/** The value of each of the 65,536 half-precision numbers (IEEE 754). */
const HALF_PRECISION = Float64Array.from({ length: 65_536 }, (_, bits) => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 0x3ff) / 1024;
  if (exponent === 0) return sign * fraction * 2 ** -14;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction) * 2 ** (exponent - 15);
});
