import type { Run } from "#cli/invocation.ts";
import { setAccess } from "./set-access.ts";

export const run: Run<"policy allow"> = (invocation) => setAccess(invocation, true);
