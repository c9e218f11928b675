import { useEffect, useRef, useState } from "react";

/** The whole page takes it: who misses a small zone would have the browser open the file instead. */
export function useDroppedFile(take: (file: File) => void): boolean {
  const [isDragging, setDragging] = useState(false);
  const latest = useRef(take);
  latest.current = take;
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
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  return isDragging;
}
