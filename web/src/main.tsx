import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Router } from "wouter";
import { queryClient } from "./api/client.ts";
import { App } from "./app.tsx";
import { BASE_PATH } from "./lib/address.ts";
import { keepScrollPositions } from "./lib/scroll-positions.ts";
import { startSession } from "./session/session.ts";
import "./styles/app.css";

/** How long text waits for fonts: those of the browser's cache come within the first. */
const WAIT_MS = { scaled: 100, none: 1_000 } as const;

/**
 * Resolves when text may be shown. Fonts that come late do not move the page. As a rule they take the place of a fallback
 * face with their widths (web/subset-fonts.ts). A system that has no font for those faces, such as Android's, waits a
 * moment for ours, and does without what comes later still. So does a phone, but it hardly waits: no scale gives every text
 * its width, and a line that breaks elsewhere moves a narrow page.
 */
async function awaitFonts(): Promise<void> {
  const faces = [...document.fonts];
  const fallbacks = faces.filter(isFallback);
  await Promise.allSettled(fallbacks.map((face) => face.load()));
  const scaled = new Set(fallbacks.filter(({ status }) => status === "loaded").map(styleOf));
  const isScaled = fallbacks.every((face) => scaled.has(styleOf(face)));
  if (isScaled && !matchMedia("(max-width: 36rem)").matches) return;
  const ours = faces.filter((face) => !isFallback(face));
  const loaded = Promise.allSettled(ours.filter(isBasic).map((face) => face.load()));
  await Promise.race([loaded, new Promise((done) => setTimeout(done, WAIT_MS[isScaled ? "scaled" : "none"]))]);
  for (const face of ours) if (face.status !== "loaded") face.display = "optional";
}

const isFallback = ({ family }: FontFace): boolean => family.includes("fallback");

/** Of the files of a font, the one that every page loads. */
const isBasic = ({ unicodeRange }: FontFace): boolean => /^U\+0*20-/i.test(unicodeRange);

const styleOf = ({ family, style, weight }: FontFace): string => `${family} ${style} ${weight}`;

startSession();
keepScrollPositions();
void awaitFonts().then(() => {
  const root = document.getElementById("root");
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Router base={BASE_PATH}>
          <App />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
});
