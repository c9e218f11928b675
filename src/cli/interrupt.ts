// Ctrl-C: a command that talks to a service ends its request and cleans up. The others die at once, as programs do: they
// leave nothing half done that a next run would not mend, and the service has its own way to stop.
import { EXIT } from "./table/command.ts";
import { commandNames, commandOf } from "./table/command-table.ts";

const GRACE_MS = 2_000;

export function abortOnInterrupt([first, second]: readonly string[]): AbortSignal {
  const controller = new AbortController();
  const name =
    commandNames.find((name) => name === `${first} ${second}`) ?? commandNames.find((name) => name === first);
  if (name === undefined || name === "mcp" || commandOf(name).talksTo !== "service") return controller.signal;
  process.once("SIGINT", () => {
    controller.abort();
    // A second one ends it at once: the handler is gone by then.
    setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref();
  });
  return controller.signal;
}
