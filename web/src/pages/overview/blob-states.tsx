// How many of the used memories' blobs were intact, altered or not reachable: a share each, as a number and as a bar.
import { BLOB_STATES, type BlobState } from "#web/memory/blob-state.ts";
import { StatusIcon } from "#web/ui/status-mark.tsx";
import { Share } from "./charts.tsx";

interface BlobStatesProps {
  readonly used: number;
  /** The blob store returned the blob. */
  readonly verified: number;
  /** And its bytes were the stored ones. */
  readonly intact: number;
}

const BARS = { pass: "bg-pass", fail: "bg-fail", unknown: "bg-unknown" } as const;

export function BlobStates({ used, verified, intact }: BlobStatesProps) {
  if (used === 0) return <p className="text-soft">No answer has used a memory in the last 24 hours.</p>;
  const counts: readonly (readonly [BlobState, number])[] = [
    ["intact", intact],
    ["altered", Math.max(0, verified - intact)],
    ["not-reachable", used - verified],
  ];
  return (
    <dl className="grid gap-x-12 gap-y-6 sm:grid-cols-3">
      {counts.map(([state, count]) => {
        const [status, word, meaning] = BLOB_STATES[state];
        return (
          <div key={state} data-state={state}>
            <dt className="flex items-center gap-2 font-medium">
              <StatusIcon status={status} className="size-4" />
              {word}
            </dt>
            <dd className="mt-1">
              <Share part={count} whole={used} bar={BARS[status]}>
                {`memories. ${meaning}`}
              </Share>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
