// An import under way. Kept outside of React, so that a look at another page does not stop it.
import { useSyncExternalStore } from "react";
import type { Problem } from "#contract/problem.ts";
import { client, keys, refresh } from "#web/api/client.ts";
import { startOver } from "#web/api/use-cursor-pages.ts";
import { type Piece, piecesOf, startOfLine } from "./file-chunks.ts";

export interface Failure {
  readonly line: number;
  readonly why: string;
}

export interface Import {
  readonly status: "none" | "reading" | "ready" | "running" | "stopped" | "broken" | "done";
  readonly fileName: string;
  /** In lines of the file. */
  readonly total: number;
  readonly done: number;
  readonly imported: number;
  readonly failed: number;
  /** The first of them. */
  readonly failures: readonly Failure[];
  /** Why it is broken. */
  readonly error?: unknown;
}

const NONE: Import = { status: "none", fileName: "", total: 0, done: 0, imported: 0, failed: 0, failures: [] };
const SHOWN_FAILURES = 200;
/** So often is shown how far it is. */
const TELL_MS = 80;

function createImporting() {
  let state = NONE;
  let told = 0;
  let rest: Blob = new Blob();
  let pieces: readonly Piece[] = [];
  let controller = new AbortController();
  const listeners = new Set<() => void>();
  let shown = state;

  function change(part: Partial<Import>, { atOnce = true } = {}): void {
    state = { ...state, ...part };
    if (!atOnce && performance.now() - told < TELL_MS) return;
    told = performance.now();
    shown = state;
    for (const listener of listeners) listener();
  }

  function fail(line: number, why: string): void {
    const failures = state.failed < SHOWN_FAILURES ? [...state.failures, { line, why }] : state.failures;
    change({ failed: state.failed + 1, failures }, { atOnce: false });
  }

  async function send(piece: Piece, signal: AbortSignal): Promise<void> {
    const { start, end, firstLine, lines } = piece;
    if (piece.tooLong) fail(firstLine, "A line may have at most 64 KiB.");
    else {
      for await (const { line, problem } of client.importMemories(rest.slice(start, end), { signal })) {
        const at = firstLine + line - 1;
        if (problem === undefined) change({ imported: state.imported + 1, done: at }, { atOnce: false });
        else {
          fail(at, sentenceOf(problem));
          change({ done: at }, { atOnce: false });
        }
      }
    }
    change({ done: firstLine + lines - 1 });
  }

  /** What has no result yet may be sent later. */
  async function keepRest(piece: Piece): Promise<void> {
    const start = await startOfLine(rest, piece, state.done + 1 - piece.firstLine);
    rest = rest.slice(start);
    pieces = await piecesOf(rest, state.done + 1);
  }

  return {
    subscribe(onChange: () => void) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    now: () => shown,

    async choose(file: File): Promise<void> {
      if (state.status === "running") return;
      state = NONE;
      change({ status: "reading", fileName: file.name });
      rest = file;
      try {
        pieces = await piecesOf(file);
        const last = pieces.at(-1);
        change({ status: "ready", total: last === undefined ? 0 : last.firstLine + last.lines - 1 });
      } catch (error) {
        change({ status: "broken", error });
      }
    },

    async start(): Promise<void> {
      controller = new AbortController();
      const { signal } = controller;
      const { error: _, ...before } = state;
      state = before;
      change({ status: "running" });
      addEventListener("beforeunload", askBeforeLeaving);
      for (const piece of pieces) {
        try {
          await send(piece, signal);
        } catch (error) {
          await keepRest(piece);
          change(signal.aborted ? { status: "stopped" } : { status: "broken", error });
          break;
        }
      }
      removeEventListener("beforeunload", askBeforeLeaving);
      if (state.status === "running") change({ status: "done" });
      startOver(keys.memories);
      refresh("overview");
    },

    stop: () => controller.abort(),
    forget: () => change({ ...NONE, error: undefined }),
  };
}

/** Whoever closes the page now loses the rest. */
const askBeforeLeaving = (event: Event): void => event.preventDefault();

/** What is wrong with which field; otherwise what is wrong with the line. */
function sentenceOf({ detail, errors = [] }: Problem): string {
  if (errors.length === 0) return detail;
  return errors.map((fault) => `${(fault.pointer ?? "").replace(/^#?\//, "")} ${fault.detail}.`).join(" ");
}

export const importing = createImporting();

export const useImport = (): Import => useSyncExternalStore(importing.subscribe, importing.now);
