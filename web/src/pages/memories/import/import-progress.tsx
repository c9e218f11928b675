// How far an import is, what came of it, and what failed, by its line.
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Mark } from "#web/ui/status-mark.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { LongText, Name } from "#web/ui/text/untrusted-text.tsx";
import { type Import, importing } from "./import-job.ts";

export function ImportProgress({ now }: { readonly now: Import }) {
  const { status, fileName, total, done, imported, failed, error } = now;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="font-medium">
        <Name>{fileName}</Name>
      </p>
      {status === "reading" && <p className="text-soft">Counting its lines …</p>}
      {status === "ready" && <Ready total={total} />}
      {(status === "running" || done > 0) && (
        <>
          <progress
            aria-label="Lines done"
            value={done}
            max={total}
            className="h-2 w-full appearance-none overflow-hidden rounded-sm bg-well [&::-moz-progress-bar]:bg-pass [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-pass"
          />
          <p className="text-soft">
            <Figure of={done} /> of <Figure of={total} /> lines done: <Figure of={imported} /> imported,{" "}
            <Figure of={failed} /> failed
          </p>
        </>
      )}
      {status === "running" && <Button onClick={importing.stop}>Stop the import</Button>}
      <div role="status" className="empty:hidden">
        <Outcome now={now} />
      </div>
      {error !== undefined && <ProblemNote error={error} />}
      {(status === "stopped" || status === "broken") && done < total && (
        <Button onClick={() => void importing.start()}>Go on from line {(done + 1).toLocaleString("en")}</Button>
      )}
      <Failures now={now} />
    </div>
  );
}

const Figure = ({ of }: { readonly of: number }) => <Mono className="text-ink">{of.toLocaleString("en")}</Mono>;

function Ready({ total }: { readonly total: number }) {
  if (total === 0) return <p>This file is empty.</p>;
  return (
    <>
      <p className="text-soft">
        <Figure of={total} /> {total === 1 ? "line" : "lines"}. Each becomes a{" "}
        <strong className="font-medium text-ink">public blob</strong> that cannot be called back.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button look="primary" onClick={() => void importing.start()}>
          Import it, publicly
        </Button>
        <Button onClick={importing.forget}>Leave it</Button>
      </div>
    </>
  );
}

function Outcome({ now: { status, imported, failed, total } }: { readonly now: Import }) {
  if (status === "running") return <span className="sr-only">Importing {total} lines.</span>;
  if (status === "stopped") {
    return <Mark status="unknown">Stopped. What was being sent just then may be on record too.</Mark>;
  }
  if (status !== "done") return null;
  if (failed === 0) return <Mark status="pass">All imported, and on record.</Mark>;
  return (
    <Mark status="fail">
      {imported.toLocaleString("en")} imported; {failed.toLocaleString("en")} failed.
    </Mark>
  );
}

function Failures({ now: { failures, failed } }: { readonly now: Import }) {
  if (failures.length === 0) return null;
  return (
    <section
      aria-label="Lines that failed"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
      tabIndex={0}
      className="max-h-40 overflow-y-auto rounded-md bg-fail-wash px-3 py-2"
    >
      <ul className="flex flex-col gap-1.5 text-xs">
        {failures.map(({ line, why }) => (
          <li key={line}>
            <span className="font-medium font-mono">line {line.toLocaleString("en")}</span>
            <LongText>{why}</LongText>
          </li>
        ))}
      </ul>
      {failed > failures.length && (
        <p className="mt-2 text-xs">And {(failed - failures.length).toLocaleString("en")} more.</p>
      )}
    </section>
  );
}
