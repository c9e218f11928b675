import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { deliverWebhooks } from "#service/events/webhooks.ts";
import { browserForFile, FLOW_WIDTHS } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere } from "./support/page-assertions.ts";

const browser = browserForFile();

test.for(FLOW_WIDTHS)("a webhook is added, its deliveries are listed, and it is deleted, on a %s", async (width) => {
  const statuses = [500];
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(statuses.shift() ?? 204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void receiver.close());
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const service = await openService({ WEBHOOK_TARGETS: "any" });
  const { page } = await browser.visit(service.url, { width });
  await page.goto(pagePath("webhooks"));
  await page.getByText("No webhook yet.").waitFor();
  await page.getByLabel("URL").fill(url);
  await page.getByLabel("policy-changed").check();
  await page.getByRole("button", { name: "Add" }).click();
  const secret = page.getByRole("region", { name: /^The secret of/ });
  expect(await secret.locator("code").innerText()).toMatch(/^whsec_/);
  await expectSoundEverywhere(page, "webhooks-secret");
  await secret.getByRole("button", { name: "I have stored it" }).click();

  await service.client.setAccess({ agentId: "planner", namespace: "health", allowed: true });
  await deliverWebhooks(service.tenant, new AbortController().signal);
  await page.reload();
  const card = page.getByRole("listitem").filter({ hasText: url });
  await card.getByText("1 failure in a row").waitFor();
  await card.getByText("Deliveries").click();
  await card.getByRole("list", { name: "Deliveries, newest first" }).getByText("policy-changed").waitFor();
  await expectSoundEverywhere(page, "webhooks-deliveries");
  await card.getByRole("button", { name: `Delete ${url}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No webhook yet.").waitFor();
  expect((await service.client.listWebhooks()).webhooks).toEqual([]);
});
