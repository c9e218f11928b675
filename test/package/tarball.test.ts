import { statSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { type PackedFiles, readTarball, tarballFaults } from "../../scripts/package/check-tarball.ts";
import { installed } from "./support/installed.ts";

const SMALL = 1;
let files: PackedFiles;

beforeAll(() => {
  files = readTarball(installed().tarball);
});

/** The packed files with some of them changed. */
function faultsWith(changes: Readonly<Record<string, string | undefined>>, size = SMALL): string[] {
  const changed = new Map(files);
  for (const [path, text] of Object.entries(changes)) {
    if (text === undefined) changed.delete(path);
    else changed.set(path, new TextEncoder().encode(text));
  }
  return tarballFaults(changed, size);
}

const packageJson = () => JSON.parse(new TextDecoder().decode(files.get("package.json")));

describe("The tarball", () => {
  test("has nothing but the package: entries, command, app, assets and notices, within its size", () => {
    expect(tarballFaults(files, statSync(installed().tarball).size)).toEqual([]);
  });

  test("installs nothing by a script, and needs only what is listed", () => {
    expect(Object.keys(packageJson().scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:pre|post)?install$/)]),
    );
  });
});

describe("The check of a release finds", () => {
  test.for([
    ["src/main.ts", "is not a file of the package"],
    ["dist/core/gate/gate.test.js", "is of a test"],
    [".env", "is not a file of the package"],
  ])("a file that does not belong there: %s", ([path = "", sentence]) => {
    expect(faultsWith({ [path]: "x" }).join()).toContain(sentence);
  });

  test.for([
    ["an absolute path", 'const at = "/home/me/portcullis/src";'],
    ["a private key", "-----BEGIN PRIVATE KEY-----\nMIIE"],
    ["a key of a caller", `const key = "portcullis_${"a1".repeat(30)}";`],
    ["a source map", "//# sourceMappingURL=main.js.map"],
  ])("%s", ([what = "", text = ""]) => {
    expect(faultsWith({ "dist/main.js": text })).toEqual([`dist/main.js has ${what}.`]);
  });

  test("a link of the README that leads nowhere in the package", () => {
    expect(faultsWith({ "docs/mcp.md": undefined })[0]).toBe("README.md links to docs/mcp.md, which is missing.");
  });

  test("an entry or a command without its file, and a package that nobody installs", () => {
    expect(faultsWith({ "dist/package/client.d.ts": undefined })).toEqual([
      "package.json names dist/package/client.d.ts, which is missing.",
    ]);
    expect(faultsWith({ "dist/main.js": 'import { z } from "not-installed";\n' })).toEqual([
      "not-installed is imported, and is no dependency.",
    ]);
  });

  test("a package that could be published, a version that the changelog does not tell of, and too many bytes", () => {
    const { private: _, ...published } = packageJson();
    expect(faultsWith({ "package.json": JSON.stringify(published) })).toEqual([
      "package.json must be private, and say why.",
    ]);
    expect(faultsWith({ "CHANGELOG.md": "## 0.0.1\n" })).toEqual([
      `CHANGELOG.md says nothing about ${packageJson().version}.`,
    ]);
    expect(faultsWith({}, 2 ** 30).join()).toContain("bytes");
  });
});
