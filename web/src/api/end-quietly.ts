/**
 * Chromium's network panel shows a body that a reader reads to its end as a cancelled request. It does not if a copy of
 * the body is read whole.
 */
export function endQuietly(response: Response): void {
  response
    .clone()
    .arrayBuffer()
    .catch(() => undefined);
}
