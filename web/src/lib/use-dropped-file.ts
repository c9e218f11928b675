import { useEffect, useRef, useState } from "react";

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
