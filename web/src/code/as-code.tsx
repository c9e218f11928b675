// "As code": the action beside it as curl, as a call of the typed client, and as a command. What it shows is loaded when
// the reader opens it.
import { lazy, Suspense, useState } from "react";
import type { RouteName } from "#contract/paths.ts";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import type { Call, CallInput } from "./call.ts";

const CodePanel = lazy(() => import("./code-panel.tsx"));

interface AsCodeProps<N extends RouteName> {
  readonly route: N;
  readonly input?: CallInput<N>;
  /** Where more than one action is near: "Pin, as code". */
  readonly summary?: string;
}

export function AsCode<N extends RouteName>({ route, input = {}, summary = "As code" }: AsCodeProps<N>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="min-w-0 max-w-full basis-full">
      <Disclosure summary={summary} onToggle={setOpen}>
        {isOpen && (
          <Suspense fallback={<Skeleton className="h-28" />}>
            <CodePanel call={{ route, ...input } as Call} />
          </Suspense>
        )}
      </Disclosure>
    </div>
  );
}
