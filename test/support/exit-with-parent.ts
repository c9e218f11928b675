// The real service, as `npm start` runs it, except that it ends when its standard input does: it must not outlive whoever
// started it, however that ends.
process.stdin.resume().once("close", () => process.exit());
await import("#main.ts");
