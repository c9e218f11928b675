// What the gateway takes of OpenAI's chat completions and passes on. A member that is not named here is refused: nobody
// could tell that it was dropped.
import { z } from "zod";
import { label } from "#contract/schemas/scalars.ts";

const MOST_MESSAGES = 2_000;
const MOST_TOOLS = 128;

const flat = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const amount = z.number().min(-2).max(2);
const tokens = z.int().min(1).max(10_000_000);

const message = z
  .looseObject({
    role: z.enum(["developer", "system", "user", "assistant", "tool"]),
    content: z
      .union([z.string(), z.array(z.looseObject({ type: z.string() }))], "must be a text or a list of parts")
      .nullish(),
  })
  .describe("As OpenAI describes it. It is passed on as it is.");

export const completionRequest = z.strictObject({
  model: label.describe("One of GET /v1/models."),
  messages: z.array(message).min(1).max(MOST_MESSAGES),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).optional(),
  n: z.literal(1).optional().describe("One answer has one receipt."),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  presence_penalty: amount.nullish(),
  frequency_penalty: amount.nullish(),
  max_tokens: tokens.nullish(),
  max_completion_tokens: tokens.nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  seed: z.int().nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  tools: z
    .array(z.looseObject({ type: z.string() }))
    .max(MOST_TOOLS)
    .optional(),
  tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]).optional(),
  parallel_tool_calls: z.boolean().optional(),
  response_format: z.looseObject({ type: z.string() }).optional(),
  reasoning_effort: z.string().nullish(),
  verbosity: z.string().nullish(),
  modalities: z.array(z.literal("text")).nullish(),
  prediction: z.looseObject({ type: z.string() }).nullish(),
  service_tier: z.string().nullish(),
  user: z.string().optional(),
  safety_identifier: z.string().optional(),
  prompt_cache_key: z.string().optional(),
  metadata: flat.nullish(),
  store: z.literal(false).nullish().describe("The provider is not to keep what holds memories."),
});
