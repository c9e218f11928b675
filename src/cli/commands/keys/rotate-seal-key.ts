import type { Run } from "#cli/invocation.ts";
import { withDeps } from "#cli/shared/with-deps.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { rotateSealKey } from "#service/sealing/rotate-seal-key.ts";

export const run: Run<"seal rotate"> = async ({ values, err, say, json, serviceEnvironment }) => {
  const bar = progressBar(err, 1);
  const { rewrapped, unknown } = await withDeps(readConfig(await serviceEnvironment()), (deps) =>
    rotateSealKey(deps, (done, total) => bar.show(done / Math.max(total, 1), `${done} of ${total} keys`)),
  );
  bar.clear();
  if (values.json) await json({ rewrapped, unknown });
  else await say(`${rewrapped} keys are wrapped by SEAL_KEY now.`);
  if (unknown > 0)
    throw configurationError(
      `The key of ${unknown} memories is not configured. Add it to SEAL_KEY_FORMER, and run this again.`,
    );
  if (!values.json) await say("No memory needs a former key.");
  return undefined;
};
