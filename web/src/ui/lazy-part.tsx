import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { ProblemNote } from "./status.tsx";

/**
 * A part of a page whose code is loaded when it is shown. If that fails, it is tried whenever the part is shown again, and
 * by a button.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  let Part: ComponentType<Props> | undefined;
  const loadPart = async () => {
    Part ??= await load();
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
