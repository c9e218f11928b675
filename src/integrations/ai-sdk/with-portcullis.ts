// A language model of the AI SDK that is told what its agent may know. Each call recalls first: a revoke counts for the
// next call, and every call that is given memories has a receipt.
import { type LanguageModelMiddleware, wrapLanguageModel } from "ai";
import { type Connection, connect } from "#integrations/connection.ts";
import type { Learned } from "#integrations/learn.ts";
import { gatedCall, learnFromCall, type RecallMetadata, type RecallOptions } from "./gated-call.ts";

export type PortcullisOptions = Connection<"recall"> & RecallOptions;

type Model = Parameters<typeof wrapLanguageModel>[0]["model"];
type WrappedModel = ReturnType<typeof wrapLanguageModel>;
type ProviderMetadata = Awaited<ReturnType<WrappedModel["doGenerate"]>>["providerMetadata"];
type StreamPart = Awaited<ReturnType<WrappedModel["doStream"]>>["stream"] extends ReadableStream<infer P> ? P : never;

/**
 * The model with memories. What the user said last is the question. The receipt of what the model was given is in
 * `providerMetadata.portcullis.receipt` of the result; in a loop with tools, of each step. It is of kind `recalled`: the
 * service does not see what the model makes of the memories.
 */
export function withPortcullis(model: Model, options: PortcullisOptions): WrappedModel {
  const client = connect(options);
  const middleware: LanguageModelMiddleware = {
    specificationVersion: "v4",
    async wrapGenerate({ model: inner, params: asked }) {
      const { params, metadata } = await gatedCall(client, asked, options);
      const learning = learnFromCall(client, asked, options);
      const result = await inner.doGenerate(params);
      return withMetadata(result, withLearned(metadata, await learning));
    },
    async wrapStream({ model: inner, params: asked }) {
      const { params, metadata } = await gatedCall(client, asked, options);
      const learning = learnFromCall(client, asked, options);
      const { stream, ...rest } = await inner.doStream(params);
      const adding = new TransformStream<StreamPart, StreamPart>({
        async transform(part, controller) {
          const isEnd = part.type === "finish";
          controller.enqueue(isEnd ? withMetadata(part, withLearned(metadata, await learning)) : part);
        },
      });
      return { ...rest, stream: stream.pipeThrough(adding) };
    },
  };
  return wrapLanguageModel({ model, middleware });
}

const withLearned = (metadata: RecallMetadata | undefined, learned: Learned | undefined) =>
  metadata && learned ? { ...metadata, learned } : metadata;

function withMetadata<R extends { providerMetadata?: ProviderMetadata }>(
  result: R,
  metadata: RecallMetadata | undefined,
): R {
  if (metadata === undefined) return result;
  // The reply of the service is JSON, which its type does not say.
  const portcullis = metadata as unknown as NonNullable<ProviderMetadata>[string];
  return { ...result, providerMetadata: { ...result.providerMetadata, portcullis } };
}
