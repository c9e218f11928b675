import type { EventKind } from "#core/identity/visible-events.ts";
import type { Page, PageOf } from "./records/paging.ts";

/** Whoever made a webhook. What is sent is what they may see at that time. */
export interface WebhookOwner {
  readonly id: string;
  readonly name: string;
  /** In its text form, of a caller without a key. */
  readonly role: string;
  /** The role of a key is that of the key. */
  readonly keyId?: string;
}

export interface Webhook {
  readonly webhookId: string;
  readonly url: string;
  /** Empty: all. */
  readonly kinds: readonly EventKind[];
  readonly owner: WebhookOwner;
  readonly createdAt: string;
  /** The sequence of the last event that was sent, or passed over. */
  readonly position: number;
  /** In a row. */
  readonly failures: number;
  /** When the next delivery may begin. */
  readonly nextAt: string;
  /** Nothing is sent any more, since the owner's key ended. */
  readonly endedAt?: string;
}

export interface WebhookDelivery {
  readonly number: number;
  readonly messageId: string;
  readonly kind: EventKind | "reset";
  readonly at: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Absent when there was no reply. */
  readonly status?: number;
  readonly error?: string;
}

type Progress = Pick<Webhook, "webhookId" | "position" | "failures" | "nextAt">;

export interface WebhookRecords {
  /** False when there are `most` already. */
  add(webhook: Webhook, most: number): Promise<boolean>;
  /** Newest first. */
  list(): Promise<readonly Webhook[]>;
  remove(webhookId: string): Promise<boolean>;
  /** Those that have events to send. Nobody else takes them before `until`. */
  take(now: string, until: string): Promise<readonly Webhook[]>;
  /** Only while the webhook is on record. */
  progress(progress: Progress, delivery?: Omit<WebhookDelivery, "number">): Promise<void>;
  end(webhookId: string, at: string): Promise<void>;
  /** Newest first. The oldest ones are removed. */
  deliveries(webhookId: string, page: PageOf<number>): Promise<Page<"deliveries", WebhookDelivery, number>>;
}

export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookSender {
  /** Why nothing may be sent there, as far as the URL says it. Undefined if something may. */
  faultOf(url: string): string | undefined;
  /** Answers with the status of the reply. Follows no redirect, and connects to no address that is not allowed. */
  send(message: WebhookMessage, signal: AbortSignal): Promise<number>;
}
