// Takes the frames of an animation from a page whose time stands still: every transition and animation of the page is set
// to the moment of the frame, so that a slow machine draws the same frames as a fast one.
import type { Page } from "playwright-core";

export interface Frame {
  readonly png: Buffer;
  readonly milliseconds: number;
}

export interface Film {
  readonly frames: readonly Frame[];
  /** One frame of the page as it is, shown for so long. */
  hold(milliseconds: number): Promise<void>;
  /** Frames of what moves now, until it stands still. */
  roll(milliseconds: number): Promise<void>;
}

const FRAME_MS = 60;

export async function startFilm(page: Page): Promise<Film> {
  const session = await page.context().newCDPSession(page);
  await session.send("Animation.enable");
  await session.send("Animation.setPlaybackRate", { playbackRate: 0 });
  const frames: Frame[] = [];
  const at = (milliseconds: number) =>
    page.evaluate(
      `for (const animation of document.getAnimations()) { animation.pause(); animation.currentTime = ${milliseconds}; }`,
    );
  const shoot = async (milliseconds: number) => void frames.push({ png: await page.screenshot(), milliseconds });
  return {
    frames,
    hold: shoot,
    async roll(milliseconds) {
      for (let time = 0; time < milliseconds; time += FRAME_MS) {
        await at(time);
        await shoot(FRAME_MS);
      }
      await page.evaluate("for (const animation of document.getAnimations()) animation.finish();");
      await shoot(FRAME_MS);
    },
  };
}
