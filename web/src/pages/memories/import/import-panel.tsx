import { useEffect, useRef } from "react";
import { useServiceInfo } from "#web/api/queries.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { dropZone, useDroppedFile } from "#web/lib/files.ts";
import { useStore } from "#web/lib/store.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Button, FileButton } from "#web/ui/form.tsx";
import { Disclosure } from "#web/ui/page.tsx";
import { ProblemNote, ProgressBar, StatusMark } from "#web/ui/status.tsx";
import { Count, Counted, LongText, Name } from "#web/ui/text.tsx";
import { type ImportState, importJob } from "./import-job.ts";
import { FILE_TYPES } from "./import-lines.ts";

export function ImportPanel() {
  const state = useStore(importJob.state);
  const { agentId } = usePermissions();
  // An agent's facts are its own, so it need not say whose they are.
  const columns = agentId === undefined ? "namespace, content and sourceAgent" : "namespace and content";
  const isDragging = useDroppedFile((file) => void importJob.choose(file));
  const panel = useRef<HTMLDivElement>(null);
  // The button that led to another state is gone with the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the state is another one.
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  }, [state.status]);
  if (state.status === "none" || isDragging) {
    return (
      <div className={`${dropZone(isDragging)} text-center`}>
        <p className="mb-3 text-soft text-xs">Drop CSV or JSON here, or</p>
        {state.fault !== undefined && (
          <p role="alert" className="mb-3 text-fail text-sm">
            {state.fault}
          </p>
        )}
        <ChooseFile>Choose a file</ChooseFile>
        <Disclosure summary="Columns" className="mt-3 text-left">
          <p className="mb-2 text-soft text-xs">CSV with the columns {columns}, or the same as JSON.</p>
          <AsCode route="importMemories" />
        </Disclosure>
      </div>
    );
  }
  return (
    <div ref={panel} tabIndex={-1} className="flex flex-col gap-3">
      <ImportProgress state={state} />
      {ENDED.has(state.status) && <ChooseFile>Choose another file</ChooseFile>}
    </div>
  );
}

const ENDED: ReadonlySet<ImportState["status"]> = new Set(["stopped", "broken", "done"]);

const ChooseFile = ({ children }: { readonly children: string }) => (
  <FileButton label="File of memories" accept={FILE_TYPES} onFile={(file) => void importJob.choose(file)}>
    {children}
  </FileButton>
);

/** The progress of an import, its outcome, and the lines that failed. */
export function ImportProgress({ state }: { readonly state: ImportState }) {
  const { status, fileName, total, done, imported, failed, error } = state;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="font-medium">
        <Name>{fileName}</Name>
      </p>
      {status === "reading" && <p className="text-soft">Counting the lines …</p>}
      {status === "ready" && <Confirmation total={total} />}
      {(status === "running" || done > 0) && (
        <>
          <ProgressBar label="Lines done" value={done} max={total} hasFailed={failed > 0} />
          <p className="text-soft">
            <Count value={done} /> of <Count value={total} /> lines done: <Count value={imported} /> imported,{" "}
            <Count value={failed} /> failed
          </p>
        </>
      )}
      {status === "running" && <Button onClick={importJob.stop}>Stop the import</Button>}
      <div role="status" className="empty:hidden">
        <Outcome state={state} />
      </div>
      {error !== undefined && <ProblemNote error={error} />}
      {(status === "stopped" || status === "broken") && done < total && (
        <Button onClick={() => void importJob.start()}>Continue from line {(done + 1).toLocaleString("en")}</Button>
      )}
      <Failures state={state} />
    </div>
  );
}

function Confirmation({ total }: { readonly total: number }) {
  const isPublic = useServiceInfo().data?.blobs.kind === "walrus";
  if (total === 0) return <p>This file is empty.</p>;
  return (
    <>
      <p className="text-soft">
        <Counted value={total} one="line" />. {isPublic && "Anyone with the id of a memory can fetch it from Walrus."}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button look="primary" onClick={() => void importJob.start()}>
          Import
        </Button>
        <Button onClick={importJob.discard}>Cancel</Button>
      </div>
    </>
  );
}

function Outcome({ state: { status, imported, failed, total } }: { readonly state: ImportState }) {
  if (status === "running") return <span className="sr-only">Importing {total} lines.</span>;
  if (status === "stopped") {
    return <StatusMark status="unknown">Stopped. The lines that were being sent may have been stored.</StatusMark>;
  }
  if (status !== "done") return null;
  if (failed === 0) return <StatusMark status="pass">All lines were imported.</StatusMark>;
  return (
    <StatusMark status="fail">
      {imported.toLocaleString("en")} imported; {failed.toLocaleString("en")} failed.
    </StatusMark>
  );
}

function Failures({ state: { failures, failed } }: { readonly state: ImportState }) {
  if (failures.length === 0) return null;
  return (
    <section
      aria-label="Lines that failed"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
      tabIndex={0}
      className="relative max-h-40 overflow-y-auto rounded-md bg-fail-wash px-3 py-2"
    >
      <ul className="flex flex-col gap-1.5 text-xs">
        {failures.map(({ line, reason }) => (
          <li key={line}>
            <LongText>{`Line ${line.toLocaleString("en")}${reason}`}</LongText>
          </li>
        ))}
      </ul>
      {failed > failures.length && (
        <p className="mt-2 text-xs">And {(failed - failures.length).toLocaleString("en")} more.</p>
      )}
    </section>
  );
}
