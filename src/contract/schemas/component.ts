import { z } from "zod";

/** An object that openapi.json describes once, under `id`, and refers to. */
export const component = <S extends z.ZodRawShape>(id: string, shape: S): z.ZodObject<S> =>
  z.object(shape).meta({ id });
