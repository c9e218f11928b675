// A search over everything that the caller may open and do (combobox pattern: the focus stays in the field, arrow keys
// choose).

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { AccessRule } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { classNames } from "#web/lib/strings.ts";
import { ForgetMemory } from "#web/memory/forget-memory.tsx";
import { memoryPath } from "#web/memory/memory-marks.tsx";
import { ChangeStatus } from "#web/policy/agent-gates.tsx";
import { useAccess } from "#web/policy/use-access.ts";
import { Search } from "#web/ui/icons.tsx";
import type { MemoryLinkState } from "#web/ui/links.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Name } from "#web/ui/text.tsx";
import type { Target } from "./use-actions.ts";
import { useSearch } from "./use-search.ts";

const MAX_LENGTH = 200;

export default function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [, navigate] = useLocation();
  const access = useAccess();
  const { targets, hasMore, isSearching, example } = useSearch(text, access);
  const [changed, setChanged] = useState<AccessRule>();
  const [forgetting, setForgetting] = useState<Memory>();
  const acting = useMutation({ mutationFn: (act: () => Promise<string>) => act() });
  const error = acting.error ?? (changed === undefined ? null : access.error);
  const isDone = changed !== undefined || acting.data !== undefined;
  const active = Math.min(chosen, targets.length - 1);
  const optionId = (index: number) => `${listId}-${index}`;
  const activeId = targets.length > 0 ? optionId(active) : undefined;

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  function open(target: Target | undefined): void {
    if (target === undefined) return;
    const { path, rule, memory, act } = target;
    forgetOutcome();
    if (rule !== undefined) access.set(rule);
    setChanged(rule);
    if (act !== undefined) acting.mutate(act);
    setForgetting(memory);
    // Gives the focus back first, so that the next page or dialog can take it.
    if (path !== undefined || memory !== undefined) dialog.current?.close();
    if (path !== undefined) navigate(path);
  }

  function forgetOutcome(): void {
    setChanged(undefined);
    acting.reset();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const last = targets.length - 1;
    const moves: Partial<Record<string, number>> = {
      ArrowDown: active >= last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      PageDown: Math.min(last, active + 5),
      PageUp: Math.max(0, active - 5),
    };
    const to = moves[event.key];
    if (event.nativeEvent.isComposing || (to === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (to === undefined) open(targets[active]);
    else setChosen(to);
  }

  const isForgotten: MemoryLinkState = { isForgotten: true };
  return (
    <>
      <dialog
        ref={dialog}
        aria-label="Search"
        onClose={() => forgetting === undefined && onClose()}
        // A click beside the box closes it.
        onPointerDown={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
        className="mx-auto mt-[12dvh] mb-auto w-[min(40rem,calc(100vw-2rem))] rounded-lg border border-line bg-card p-0 text-ink shadow-lift backdrop:bg-[#0007]"
      >
        <div className="flex items-center gap-3 border-line border-b px-4">
          <Search className="size-5 flex-none text-soft" />
          <input
            type="text"
            role="combobox"
            aria-label="Search pages, agents, namespaces, memories, receipts and ids, or say what to do"
            aria-expanded={targets.length > 0}
            aria-controls={listId}
            aria-activedescendant={activeId}
            aria-autocomplete="list"
            dir="auto"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_LENGTH}
            placeholder="Search, paste an id, or say what to do"
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              setChosen(0);
              forgetOutcome();
            }}
            onKeyDown={onKeyDown}
            className="min-h-14 w-full bg-transparent outline-none"
          />
          <kbd className="hidden flex-none text-soft text-xs pointer-fine:block">Esc</kbd>
        </div>
        <div id={listId} role="listbox" aria-label="Results" className="max-h-[min(26rem,60dvh)] overflow-y-auto p-2">
          {groupsOf(targets).map(({ group, members }) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls, and not options.
            <div key={group} role="group" aria-labelledby={`${listId}-${group}`} className="mb-1">
              <p id={`${listId}-${group}`} className="px-3 pt-2 pb-1 text-soft text-xs">
                {group}
              </p>
              {members.map(({ target, index }) => (
                <Option
                  key={target.id}
                  id={optionId(index)}
                  target={target}
                  isActive={index === active}
                  onPoint={() => setChosen(index)}
                  onOpen={() => open(target)}
                />
              ))}
            </div>
          ))}
        </div>
        <p
          role="status"
          className={classNames("px-5 pb-3 text-soft text-sm", targets.length > 0 && !hasMore && !isDone && "sr-only")}
        >
          {changed !== undefined && <ChangeStatus access={access} {...changed} />}
          {acting.data}
          {!isDone && (acting.isPending ? "One moment …" : statusOf(targets.length, hasMore, isSearching))}
        </p>
        {text === "" && example !== undefined && <p className="px-5 pb-3 text-soft text-sm">{example}</p>}
        {error !== null && <ProblemNote error={error} />}
      </dialog>
      {forgetting !== undefined && (
        <ForgetMemory
          memory={forgetting}
          onForget={() => navigate(memoryPath(forgetting.memoryId), { state: isForgotten })}
          onClose={onClose}
        />
      )}
    </>
  );
}

function statusOf(count: number, hasMore: boolean, isSearching: boolean): string {
  if (count > 0) return hasMore ? `The first ${count} results` : `${count} ${count === 1 ? "result" : "results"}`;
  return isSearching ? "Searching …" : "No results.";
}

interface OptionProps {
  readonly id: string;
  readonly target: Target;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onOpen: () => void;
}

const Option = ({ id, target: { label, note, isUntrusted }, isActive, onPoint, onOpen }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and takes the keys.
  // biome-ignore lint/a11y/useFocusableInteractive: the same.
  <div
    id={id}
    role="option"
    aria-selected={isActive}
    onPointerMove={onPoint}
    onClick={onOpen}
    className={classNames(
      "flex min-h-11 cursor-pointer items-center gap-4 rounded-md px-3 py-1.5 text-sm",
      isActive && "bg-well outline-2 outline-link -outline-offset-2",
    )}
  >
    {isUntrusted === true ? (
      <Name className="line-clamp-2 min-w-0">{label}</Name>
    ) : (
      <span className="min-w-0 truncate">{label}</span>
    )}
    {note !== undefined && <Name className="ml-auto max-w-[40%] flex-none truncate text-soft text-xs">{note}</Name>}
  </div>
);

function groupsOf(targets: readonly Target[]) {
  const placed = targets.map((target, index) => ({ target, index }));
  return [...Map.groupBy(placed, ({ target }) => target.group)].map(([group, members]) => ({ group, members }));
}
