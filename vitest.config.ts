import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,test,scripts}/**/*.test.ts"],
    testTimeout: 30_000,
  },
});
