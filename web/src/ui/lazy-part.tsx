import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { retryableImport } from "#web/lib/retryable-import.ts";
import { ProblemNote } from "./status.tsx";

/**
 * A part of a page whose code is loaded when it is shown. If that fails, it is tried once more, then whenever the part is
 * shown again, and by a button.
 */
export function lazyPart<Module, Props extends object>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  const retry = retryableImport(load);
  let Part: ComponentType<Props> | undefined;
  const loadPart = async () => {
    Part ??= pick(await retry().catch(retry));
  };
  return function LazyPart(props) {
    const [{ tries, error }, setState] = useState<{ readonly tries: number; readonly error?: unknown }>({ tries: 0 });
    // Another place may have loaded it before the effect runs.
    const isMissing = Part === undefined;
    // biome-ignore lint/correctness/useExhaustiveDependencies: what was missing when it was tried.
    useEffect(() => {
      let isShown = isMissing;
      const end = (result: { readonly error?: unknown }) => isShown && setState({ tries, ...result });
      loadPart().then(
        () => end({}),
        (failure: unknown) => end({ error: failure }),
      );
      return () => {
        isShown = false;
      };
    }, [tries]);
    if (Part !== undefined) return <Part {...props} />;
    if (error === undefined) return fallback;
    return <ProblemNote error={error} onRetry={() => setState({ tries: tries + 1 })} />;
  };
}
