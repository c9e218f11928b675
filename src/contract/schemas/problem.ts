import { z } from "zod";

export const problemSchema = z
  .object({
    type: z.string().meta({ description: "urn:portcullis:problem:<code>" }),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: "Stable. Programs should decide by it." }),
    detail: z.string(),
    requestId: z.string().optional(),
    errors: z
      .array(z.object({ pointer: z.string().optional(), parameter: z.string().optional(), detail: z.string() }))
      .optional()
      .meta({ description: "What is wrong with a field (a JSON pointer) or with a parameter." }),
  })
  .meta({ id: "Problem" });
