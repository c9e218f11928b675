// "As code": the action beside it as curl, as a call of the typed client, and as a command. What it shows is loaded when
// the reader opens it.
import type { RouteName } from "#contract/paths.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Disclosure, Skeleton } from "#web/ui/page.tsx";
import type { Call, CallInput } from "./call.ts";

const CodePanel = lazyPart(async () => (await import("./code-panel.tsx")).default, <Skeleton className="h-28" />);

interface AsCodeProps<N extends RouteName> {
  readonly route: N;
  readonly input?: CallInput<N>;
  /** Where more than one action is near: "Pin, as code". */
  readonly summary?: string;
}

export function AsCode<N extends RouteName>({ route, input = {}, summary = "As code" }: AsCodeProps<N>) {
  return (
    <div className="min-w-0 max-w-full basis-full">
      <Disclosure summary={summary}>{() => <CodePanel call={{ route, ...input } as Call} />}</Disclosure>
    </div>
  );
}
