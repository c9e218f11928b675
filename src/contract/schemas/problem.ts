import { z } from "zod";

export const problemSchema = z
  .object({
    type: z.string().meta({ description: "urn:portcullis:problem:<code>" }),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: "Stable; what programs should look at." }),
    detail: z.string(),
    requestId: z.string().optional(),
    errors: z
      .array(z.object({ pointer: z.string().optional(), parameter: z.string().optional(), detail: z.string() }))
      .optional()
      .meta({ description: "What is wrong with which field (a JSON pointer) or query parameter." }),
  })
  .meta({ id: "Problem" });
