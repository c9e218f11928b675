import { onTestFinished, vi } from "vitest";

/** Listens in on the console for one test. The answer lists what was written there, and should be empty: we have a log. */
export function watchConsole(): () => unknown[] {
  const spies = (["error", "warn", "info", "log"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return () => spies.flatMap((spy) => spy.mock.calls.flat());
}
