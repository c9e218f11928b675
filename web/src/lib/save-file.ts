/** Has the browser save the parts as one file. */
export function saveFile(name: string, type: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun with the click.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
