import { onTestFinished, vi } from "vitest";

/** Silences the console for one test. The result lists what was written to it. The service writes to its log instead. */
export function spyOnConsole(): () => unknown[] {
  const spies = (["error", "warn", "info", "log"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return () => spies.flatMap((spy) => spy.mock.calls.flat());
}
