import { onTestFinished, vi } from "vitest";

/** Records what is written to the console during one test. It should be nothing: the service has a log. */
export function watchConsole(): () => unknown[] {
  const spies = (["error", "warn", "info", "log"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return () => spies.flatMap((spy) => spy.mock.calls.flat());
}
