// Preloaded into a process that a test starts (`node --import`): the process ends when its standard input does. So it
// never outlives the test, however the test ends. It holds the event loop open for nothing.
process.stdin.once("close", () => process.exit()).resume();
(process.stdin as NodeJS.ReadStream & { unref?(): void }).unref?.();
