import type { Run } from "#cli/invocation.ts";
import { serve } from "#serve.ts";

/** Resolves when the service is ready. It then runs until a signal stops it. */
export const run: Run<"serve"> = async ({ values }) => {
  await serve(Object.entries(values).flatMap(([option, isSet]) => (isSet ? [`--${option}`] : [])));
  return undefined;
};
