// The import of a file, as a store outside of React, so that a visit to another page does not stop it.
import type { Problem } from "#contract/problem.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { resetCursorPages } from "#web/api/use-cursor-pages.ts";
import { createStore, type ReadableStore } from "#web/lib/store.ts";
import { whenCallerChanges } from "#web/session/session.ts";
import { FileFault, linesOf } from "./import-lines.ts";

export interface ImportState {
  readonly status: "none" | "reading" | "ready" | "running" | "stopped" | "broken" | "done";
  readonly fileName: string;
  readonly total: number;
  readonly done: number;
  readonly imported: number;
  readonly failed: number;
  /** The first failures, up to MAX_FAILURES. */
  readonly failures: readonly { readonly line: number; readonly reason: string }[];
  /** Why nothing of the file is sent. */
  readonly fault?: string | undefined;
  readonly error?: unknown;
}

const NO_IMPORT: ImportState = {
  status: "none",
  fileName: "",
  total: 0,
  done: 0,
  imported: 0,
  failed: 0,
  failures: [],
};
const MAX_FAILURES = 200;
/** Progress is shown at most this often. */
const PROGRESS_MS = 80;

function createImportJob() {
  const shown = createStore(NO_IMPORT);
  let state = NO_IMPORT;
  let shownAt = 0;
  let rest: Blob = new Blob();
  let chunks: readonly Chunk[] = [];
  let controller = new AbortController();

  function show(part: Partial<ImportState>): void {
    state = { ...state, ...part };
    shownAt = performance.now();
    shown.set(state);
  }

  const isRunning = () => state.status === "running";

  function showProgress(part: Partial<ImportState>): void {
    if (performance.now() - shownAt >= PROGRESS_MS) show(part);
    else state = { ...state, ...part };
  }

  function addFailure(line: number, reason: string): void {
    const failures = state.failed < MAX_FAILURES ? [...state.failures, { line, reason }] : state.failures;
    showProgress({ failed: state.failed + 1, failures, done: line });
  }

  async function send(chunk: Chunk, signal: AbortSignal): Promise<void> {
    const { start, end, firstLine, lines } = chunk;
    if (chunk.isTooLong) addFailure(firstLine, " is longer than 64 KiB.");
    else {
      const results = client.importMemories(rest.slice(start, end), {}, { signal });
      for await (const { line: lineOfChunk, problem } of results) {
        signal.throwIfAborted();
        const line = firstLine + lineOfChunk - 1;
        if (problem === undefined) showProgress({ imported: state.imported + 1, done: line });
        else addFailure(line, sentenceOf(problem));
      }
    }
    show({ done: firstLine + lines - 1 });
  }

  /** Keeps the lines that have no result yet, to be sent later. */
  async function keepRest(chunk: Chunk): Promise<void> {
    const start = await offsetOfLine(rest, chunk, state.done + 1 - chunk.firstLine);
    rest = rest.slice(start);
    chunks = await chunksOf(rest, state.done + 1);
  }

  return {
    /** The state as it is shown. */
    state: shown as ReadableStore<ImportState>,

    async choose(file: File): Promise<void> {
      if (isRunning()) return;
      // A file that is still being read is not the chosen one any more.
      controller = new AbortController();
      state = { ...NO_IMPORT, fault: undefined };
      show({ status: "reading", fileName: file.name });
      const { signal } = controller;
      try {
        const lines = await linesOf(file);
        const found = await chunksOf(lines);
        if (signal !== controller.signal) return;
        rest = lines;
        chunks = found;
        const last = chunks.at(-1);
        show({ status: "ready", total: last === undefined ? 0 : last.firstLine + last.lines - 1 });
      } catch (error) {
        if (signal !== controller.signal) return;
        if (error instanceof FileFault) show({ ...NO_IMPORT, fault: error.message });
        else show({ status: "broken", error });
      }
    },

    /** Starts the import, or continues it after the last line with a result. */
    async start(): Promise<void> {
      if (isRunning()) return;
      controller = new AbortController();
      const { signal } = controller;
      show({ status: "running", error: undefined });
      addEventListener("beforeunload", askBeforeLeaving);
      for (const chunk of chunks) {
        try {
          await send(chunk, signal);
        } catch (error) {
          // The file may have changed meanwhile, and then the browser reads it no more.
          const unread = signal === controller.signal ? await keepRest(chunk).catch((cause) => ({ cause })) : undefined;
          const broken = { status: "broken", error: unread?.cause ?? error } as const;
          if (signal === controller.signal) show(signal.aborted && !unread ? { status: "stopped" } : broken);
          break;
        }
      }
      removeEventListener("beforeunload", askBeforeLeaving);
      if (signal !== controller.signal) return;
      if (isRunning()) show({ status: "done" });
      resetCursorPages(queryKeys.memories);
      invalidate("overview");
    },

    stop: () => controller.abort(),
    discard: () => show({ ...NO_IMPORT, error: undefined }),
    /** Stops, and drops the file. */
    clear(): void {
      controller.abort();
      // Whatever still runs finds that the signal is no longer its own, and shows nothing more.
      controller = new AbortController();
      rest = new Blob();
      chunks = [];
      show({ ...NO_IMPORT, error: undefined });
    },
  };
}

/** The browser asks for confirmation before it closes the page, since the rest of the file would be lost. */
const askBeforeLeaving = (event: Event): void => event.preventDefault();

/** The rest of the sentence that begins with "Line 8": what is wrong with each field, or else with the line. */
function sentenceOf({ code, detail, errors = [] }: Problem): string {
  if (code === "malformed-json") return " is not valid JSON.";
  if (errors.length === 0) return `: ${detail}`;
  return `: ${errors.map((fault) => `${(fault.pointer ?? "").replace(/^#?\//, "")} ${fault.detail}.`).join(" ")}`;
}

export const importJob = createImportJob();
whenCallerChanges(importJob.clear);

interface Chunk {
  /** Byte offsets in the file. */
  readonly start: number;
  readonly end: number;
  /** The number of its first line, counted from 1. */
  readonly firstLine: number;
  readonly lines: number;
  /** One line that is longer than the service accepts. It is not sent. */
  readonly isTooLong: boolean;
}

export const MAX_LINE_BYTES = 64 * 1024;
const MAX_CHUNK_BYTES = 64 * 1024;
const MAX_CHUNK_LINES = 200;
const LINE_END = 0x0a;

/** `firstLine`: the number of the first line, for a blob that is the rest of a file. */
export async function chunksOf(file: Blob, firstLine = 1): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  let open = { start: 0, firstLine };
  let line = firstLine;
  let lineStart = 0;

  function close(end: number, isTooLong = false): void {
    if (end > open.start) chunks.push({ ...open, end, lines: line - open.firstLine, isTooLong });
    open = { start: end, firstLine: line };
  }

  function endLine(end: number): void {
    const length = end - lineStart;
    const isFull = end - open.start > MAX_CHUNK_BYTES || line - open.firstLine >= MAX_CHUNK_LINES;
    if (isFull || length > MAX_LINE_BYTES) close(lineStart);
    line += 1;
    lineStart = end;
    if (length > MAX_LINE_BYTES) close(end, true);
  }

  for await (const end of lineEndsOf(file)) endLine(end);
  if (file.size > lineStart) endLine(file.size);
  close(file.size);
  return chunks;
}

/** The byte offset in the file of a chunk's line, counted from 0. */
export async function offsetOfLine(file: Blob, { start, end }: Chunk, index: number): Promise<number> {
  let passed = 0;
  if (index === 0) return start;
  for await (const lineEnd of lineEndsOf(file.slice(start, end))) {
    passed += 1;
    if (passed === index) return start + lineEnd;
  }
  return end;
}

/** The offset after each line end. */
async function* lineEndsOf(blob: Blob): AsyncGenerator<number> {
  const reader = blob.stream().getReader();
  for (let read = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    for (let at = value.indexOf(LINE_END); at !== -1; at = value.indexOf(LINE_END, at + 1)) yield read + at + 1;
    read += value.byteLength;
  }
}
