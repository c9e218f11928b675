/** Two texts, split into their common prefix, the parts that differ, and their common suffix. */
export interface Difference {
  readonly start: string;
  readonly left: string;
  readonly right: string;
  readonly end: string;
}

export function differenceOf(left: string, right: string): Difference {
  const most = Math.min(left.length, right.length);
  let start = 0;
  while (start < most && left[start] === right[start]) start++;
  let end = 0;
  while (end < most - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  return {
    start: left.slice(0, start),
    left: left.slice(start, left.length - end),
    right: right.slice(start, right.length - end),
    end: left.slice(left.length - end),
  };
}
