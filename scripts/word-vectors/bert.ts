// The forward pass of BERT for sequences of three tokens: [CLS], a token, [SEP]. There is no padding and no mask.
import { addInto, gelu, type LayerNorm, layerNorm, softmax } from "./layers.ts";
import { createMatrixProduct } from "./matrix-product.ts";
import type { Tensor } from "./safetensors.ts";

/** The shape of all-MiniLM-L6-v2. */
const LAYERS = 6;
export const WIDTH = 384;
const HEADS = 12;
const HEAD_WIDTH = WIDTH / HEADS;
const SEQUENCE = 3;

const CLS = 101;
const SEP = 102;

/** Gives the vectors of tokens, row after row: the mean of the model's output at the three positions. */
export type Encoder = (tokens: readonly number[]) => Float64Array;

export function createEncoder(tensor: (name: string) => Tensor): Encoder {
  const values = (name: string) => tensor(name).values;
  const norm = (name: string): LayerNorm => ({ weight: values(`${name}.weight`), bias: values(`${name}.bias`) });
  const product = createMatrixProduct();
  const dense = (name: string) => {
    const { shape, values: weights } = tensor(`${name}.weight`);
    const weight = product.keep(weights, shape[1] as number);
    const bias = values(`${name}.bias`);
    return (x: Float64Array) => {
      const result = product.multiply(x, weight);
      addInto(result, bias);
      return result;
    };
  };
  const words = values("embeddings.word_embeddings.weight");
  const positions = values("embeddings.position_embeddings.weight");
  const types = values("embeddings.token_type_embeddings.weight");
  const firstNorm = norm("embeddings.LayerNorm");
  const layers = Array.from({ length: LAYERS }, (_, i) => {
    const layer = `encoder.layer.${i}`;
    return {
      query: dense(`${layer}.attention.self.query`),
      key: dense(`${layer}.attention.self.key`),
      value: dense(`${layer}.attention.self.value`),
      attention: dense(`${layer}.attention.output.dense`),
      attentionNorm: norm(`${layer}.attention.output.LayerNorm`),
      inner: dense(`${layer}.intermediate.dense`),
      outer: dense(`${layer}.output.dense`),
      outerNorm: norm(`${layer}.output.LayerNorm`),
    };
  });

  function embeddings(tokens: readonly number[]): Float64Array {
    const x = new Float64Array(tokens.length * SEQUENCE * WIDTH);
    const ids = tokens.flatMap((token) => [CLS, token, SEP]);
    for (const [row, id] of ids.entries()) {
      for (let i = 0; i < WIDTH; i++) {
        const position = positions[(row % SEQUENCE) * WIDTH + i] as number;
        x[row * WIDTH + i] = (words[id * WIDTH + i] as number) + position + (types[i] as number);
      }
    }
    return x;
  }

  return (tokens) => {
    const x = embeddings(tokens);
    layerNorm(x, firstNorm);
    for (const layer of layers) {
      const context = attend(layer.query(x), layer.key(x), layer.value(x));
      addInto(x, layer.attention(context));
      layerNorm(x, layer.attentionNorm);
      const inner = layer.inner(x);
      gelu(inner);
      addInto(x, layer.outer(inner));
      layerNorm(x, layer.outerNorm);
    }
    return meanOfPositions(x);
  };
}

/** Scaled dot-product attention: each position of a sequence attends to its three positions, in each head. */
function attend(query: Float64Array, key: Float64Array, value: Float64Array): Float64Array {
  const context = new Float64Array(query.length);
  const scores = new Float64Array(SEQUENCE);
  for (let row = 0; row < query.length / WIDTH; row++) {
    const first = (row - (row % SEQUENCE)) * WIDTH;
    for (let head = 0; head < WIDTH; head += HEAD_WIDTH) {
      for (let other = 0; other < SEQUENCE; other++) {
        let dot = 0;
        for (let i = head; i < head + HEAD_WIDTH; i++)
          dot += (query[row * WIDTH + i] as number) * (key[first + other * WIDTH + i] as number);
        scores[other] = dot / Math.sqrt(HEAD_WIDTH);
      }
      softmax(scores);
      for (let i = head; i < head + HEAD_WIDTH; i++) {
        let sum = 0;
        for (let other = 0; other < SEQUENCE; other++)
          sum += (scores[other] as number) * (value[first + other * WIDTH + i] as number);
        context[row * WIDTH + i] = sum;
      }
    }
  }
  return context;
}

function meanOfPositions(x: Float64Array): Float64Array {
  const pooled = new Float64Array(x.length / SEQUENCE);
  for (let i = 0; i < pooled.length; i++) {
    const first = Math.floor(i / WIDTH) * SEQUENCE * WIDTH + (i % WIDTH);
    const sum = (x[first] as number) + (x[first + WIDTH] as number) + (x[first + 2 * WIDTH] as number);
    pooled[i] = sum / SEQUENCE;
  }
  return pooled;
}
