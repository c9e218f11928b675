import { markLoading } from "./mark-loading.ts";

interface SkeletonProps {
  /** What is loading, for screen readers: "the page". */
  readonly what?: string;
  readonly lines?: number;
  readonly className?: string;
}

/** A placeholder while something loads, as high as the content: `lines` of text, or the size in `className`. */
export function Skeleton({ what, lines = 1, className }: SkeletonProps) {
  return (
    <>
      {what !== undefined && (
        <span role="status" className="sr-only">
          Loading {what}.
        </span>
      )}
      <div ref={markLoading} aria-hidden="true" className={className}>
        {className === undefined ? (
          Array.from({ length: lines }, (_, line) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never change their order.
              key={line}
              className={`my-2 h-4 rounded-sm bg-well ${line === lines - 1 && lines > 1 ? "w-3/5" : "w-full"}`}
            />
          ))
        ) : (
          <div className="size-full rounded-md bg-well" />
        )}
      </div>
    </>
  );
}
