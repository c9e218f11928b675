// biome-ignore lint/style/noRestrictedImports: the one place that wraps it.
import { type MutationFunction, type UseMutationOptions, useMutation as useObserved } from "@tanstack/react-query";
import { useRef } from "react";

interface Options<Data, Variables, Started> extends UseMutationOptions<Data, Error, Variables, Started> {
  readonly mutationFn: MutationFunction<Data, Variables>;
}

/**
 * The library's, with the function of the last render. By itself it takes a new one in an effect, and Preact runs
 * effects after the next frame: Enter before that would send what stood in the form before the last key.
 */
export function useMutation<Data, Variables = void, Started = unknown>(options: Options<Data, Variables, Started>) {
  const latest = useRef(options.mutationFn);
  latest.current = options.mutationFn;
  return useObserved({ ...options, mutationFn: (variables, context) => latest.current(variables, context) });
}
