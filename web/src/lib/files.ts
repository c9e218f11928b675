// Files that the reader saves and drops. CSV (RFC 4180) is written so that a spreadsheet shows it without harm.
import { useEffect, useRef, useState } from "react";

/**
 * Where a cell may begin that is run as a formula: also in the middle of a text, because a spreadsheet of a country that
 * writes numbers with a comma divides cells at semicolons, whatever the quotes say.
 */
const FORMULA = /((?:^|[;\t\r\n])\s*)(?=[=+\-@＝＋－＠])/g;

export type CsvCell = string | number | boolean | undefined;

function cellOf(value: CsvCell): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = value.replaceAll(FORMULA, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line, with its end. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellOf).join(",")}\r\n`;

/** Has the browser save the parts as one file. */
export function saveFile(name: string, type: string, parts: readonly BlobPart[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun with the click.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

export const dropZone = (isDragging: boolean): string =>
  `rounded-md border border-dashed p-4 ${isDragging ? "border-iron bg-iron-wash" : "border-edge"}`;

/**
 * Accepts a file that is dropped anywhere on the page, since the browser opens a file that misses a small zone. True
 * while a file is dragged over the page.
 */
export function useDroppedFile(onDrop: (file: File) => void): boolean {
  const [isDragging, setDragging] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;
    function over(event: DragEvent): void {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(true);
    }
    function leave({ relatedTarget }: DragEvent): void {
      if (relatedTarget === null) setDragging(false);
    }
    function drop(event: DragEvent): void {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(false);
      const file = event.dataTransfer?.files[0];
      if (file !== undefined) latest.current(file);
    }
    const ending = new AbortController();
    addEventListener("dragover", over, ending);
    addEventListener("dragleave", leave, ending);
    addEventListener("drop", drop, ending);
    return () => ending.abort();
  }, []);
  return isDragging;
}
