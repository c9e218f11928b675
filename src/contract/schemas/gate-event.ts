// What a stream of an answer begins with.
import { z } from "zod";
import { component } from "./component.ts";
import { blocked } from "./resources.ts";
import {
  count,
  digest,
  content as givenContent,
  name as givenName,
  id,
  label,
  MOST_LISTED,
  version,
} from "./scalars.ts";

const MOST_MEMORIES = 256;

const promptMemory = z.object({
  memoryId: id,
  namespace: givenName,
  content: givenContent.describe("Its text as the prompt has it."),
  contentDigest: digest.describe("blake2b256 of the blob's bytes, hex."),
  pinned: z.literal(true).exactOptional().describe("It is marked as pinned in the prompt."),
  cut: z.literal(true).exactOptional().describe("The prompt has only the beginning of its text."),
});

export const gateEvent = component("GateEvent", {
  answerId: id.describe("The receipt is on record, opened, under this id."),
  policyVersion: version,
  template: label
    .nullable()
    .describe("The id of the prompt's template, with which the prompt can be rebuilt. Null when no model is asked."),
  memories: z
    .array(promptMemory)
    .meta({ maxItems: MOST_MEMORIES })
    .describe("What passed: the memories of the prompt, in its order."),
  ...blocked,
  blockedSizes: z
    .array(z.object({ namespace: givenName, memories: count }))
    .meta({ maxItems: MOST_LISTED })
    .exactOptional()
    .describe("How many memories each listed namespace has, whatever the question. For admins alone."),
});
