import type { Run } from "#cli/invocation.ts";
import { serviceAddress } from "#cli/shared/service-client.ts";
import { serveMcpOverStdio } from "#mcp/stdio.ts";

/** Ends when the host closes standard input. */
export const run: Run<"mcp"> = async (invocation) => {
  await serveMcpOverStdio({ ...(await serviceAddress(invocation)), agentId: invocation.values.agent });
  return undefined;
};
