// The difference between two prompts, line by line: the longest common subsequence. A line that only has another number
// counts as the same line, renumbered.

export interface PromptLine {
  readonly kind: "same" | "renumbered" | "removed" | "added";
  readonly text: string;
}

/** A line of a memory begins with its number (core/prompt/template.ts). */
const NUMBER = /^\{"n":\d+,/;

export function promptDifference(before: string, now: string): readonly PromptLine[] {
  const [left, right] = [before.split("\n"), now.split("\n")];
  const [leftKeys, rightKeys] = [left.map(keyOf), right.map(keyOf)];
  const lengths = commonLengths(leftKeys, rightKeys);
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  const lines: PromptLine[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [old, text] = [left[i], right[j]];
    if (old !== undefined && text !== undefined && leftKeys[i] === rightKeys[j]) {
      lines.push({ kind: old === text ? "same" : "renumbered", text });
      i++;
      j++;
    } else if (old !== undefined && (text === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: old });
      i++;
    } else {
      lines.push({ kind: "added", text: text ?? "" });
      j++;
    }
  }
  return lines;
}

const keyOf = (line: string): string => line.replace(NUMBER, "{");

/** Of each pair of ends, how many lines they have in common. A prompt has some hundred lines at most. */
function commonLengths(left: readonly string[], right: readonly string[]): readonly (readonly number[])[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--) {
      const [row = [], next = []] = [lengths[i], lengths[i + 1]];
      row[j] = left[i] === right[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
}
