// The name at the end of the path. wouter decodes a path with `decodeURI`, which cannot tell `a/b` from `a%2Fb`; this one
// decodes the last segment as it was encoded.
import { useLocation } from "wouter";

export function usePathParameter(): string {
  // Subscribes to changes of the path; its value is not used.
  useLocation();
  return lastSegment(window.location.pathname);
}

export function lastSegment(pathname: string): string {
  const segment = pathname.replace(/\/$/, "").split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
