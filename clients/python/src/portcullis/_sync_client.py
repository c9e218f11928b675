# Generated from openapi.json by `npm run openapi`. Change the contract, not this file.
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import Literal, overload

from ._requests import CallOptions, Route, given
from ._sync_transport import Pages, SyncTransport
from .models import (
    AcceptProposalReply,
    AccessRule,
    AllBlocked,
    AnchorOnChainReply,
    AnchorReceiptReply,
    AnswerEvent,
    AnswerReceipt,
    ApiKey,
    ApplyTemplateReply,
    CaptureReply,
    ChatMessage,
    ChatReply,
    CreateKeyReply,
    CreateTenantKeyReply,
    CreateTenantReply,
    CreateWebhookReply,
    Decision,
    DeclineProposalReply,
    DeleteTemplateReply,
    DeleteTenantReply,
    ExplainReply,
    Fact,
    FeedEvent,
    ForgetByKeyReply,
    ForgetMemoriesReply,
    ForgetMemoryReply,
    FoundAnchors,
    GetByKeyReply,
    GetLogConsistencyReply,
    GetMemoryReply,
    GetNamespaceReply,
    GetPolicyMinimalReply,
    GetPolicyReply,
    GetTemplateReply,
    GetTenantReply,
    GetTombstoneReply,
    ImportProgress,
    ImportResult,
    LearnMessage,
    LearnReply,
    Ledger,
    LedgerEntry,
    LedgerObject,
    LedgerTransaction,
    LedgerTransactionsReply,
    ListDecisionsReply,
    ListDeliveriesReply,
    ListKeysReply,
    ListLogEntriesReply,
    ListMemoriesReply,
    ListNamespacesReply,
    ListPolicyChangesReply,
    ListProposalsReply,
    ListReceiptsReply,
    ListTemplatesReply,
    ListTenantsReply,
    ListUsesReply,
    ListWebhooksReply,
    Log,
    LogProof,
    Memory,
    MemoryUse,
    Namespace,
    Opening,
    OpeningDocument,
    Overview,
    PolicyChange,
    PutNamespaceReply,
    PutTemplateNamespace,
    PutTemplateQuotas,
    PutTemplateReply,
    PutTenantReply,
    RecallReply,
    ReceiptEntry,
    ReceiptToAnchor,
    RemoveWebhookReply,
    Reports,
    ResetDemoReply,
    RevokeKeyReply,
    RotateKeyReply,
    Service,
    Session,
    SetAccessBatchMinimalReply,
    SetAccessBatchReply,
    SetAccessMinimalReply,
    SetAccessReply,
    StreamedAnswer,
    StreamedGate,
    StreamedRestart,
    StreamedToken,
    Tenant,
    TrustRoot,
    UpdateMemoryReply,
    UpdateTenantQuotas,
    UpdateTenantReply,
    Verification,
    ViewedReceipt,
    WaitingProposal,
    WebhookDelivery,
)


class Portcullis(SyncTransport):
    """A client of one service, with a method for each route. Use it with `with`, or close it."""

    def chat(
        self,
        *,
        query: str,
        agent_id: str | None = None,
        messages: Sequence[ChatMessage] | None = None,
        pace: Literal["reader"] | None = None,
        namespace_prefix: str | None = None,
        source_agent: str | None = None,
        occurred_from: date | str | datetime | None = None,
        occurred_to: date | str | datetime | None = None,
        metadata: dict[str, str | float | bool] | None = None,
        as_of: date | str | datetime | None = None,
        min_relevance: float | None = None,
        options: CallOptions | None = None,
    ) -> ChatReply:
        """Ask as an agent. The gate runs first; the answer comes with its receipt.

        For agents and admins.

        Args:
            agent_id: The agent that asks. An agent's own key may leave it out.
            query: The question.
            messages: The last turns of the conversation before `query`, oldest first, so that a question can refer
                to them. With it they have 4,000 characters at most. They are part of what the receipt commits to as
                the question.
            pace: Of a stream: `reader` has the built-in model write as fast as people read. No other model is
                slowed.
            namespace_prefix: Only memories of this namespace, and of those below it: `trips` also finds
                `trips/2026`.
            source_agent: The agent that captured the memory. Exact and case-sensitive, NFC, no control characters.
            occurred_from: Only what says that it occurred then or later.
            occurred_to: Only what says that it occurred then or before; a date is the whole day.
            metadata: Only memories with these values, compared as texts. In a URL: metadata.topic=food.
            as_of: What was current then, and is not forgotten since. The policy is that of now.
            min_relevance: Only memories with at least this relevance, and pinned ones.
        """
        return self._call(
            Route("POST", "/api/chat", idempotent=True),
            ChatReply,
            body={
                "query": query,
                **given({
                    "agentId": agent_id,
                    "messages": messages,
                    "pace": pace,
                    "namespacePrefix": namespace_prefix,
                    "sourceAgent": source_agent,
                    "occurredFrom": occurred_from,
                    "occurredTo": occurred_to,
                    "metadata": metadata,
                    "asOf": as_of,
                    "minRelevance": min_relevance,
                }),
            },
            options=options,
        )

    def chat_stream(
        self,
        *,
        query: str,
        agent_id: str | None = None,
        messages: Sequence[ChatMessage] | None = None,
        pace: Literal["reader"] | None = None,
        namespace_prefix: str | None = None,
        source_agent: str | None = None,
        occurred_from: date | str | datetime | None = None,
        occurred_to: date | str | datetime | None = None,
        metadata: dict[str, str | float | bool] | None = None,
        as_of: date | str | datetime | None = None,
        min_relevance: float | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[AnswerEvent]:
        """The same, as events: what passed the gate, the pieces of the answer, and at last the answer itself. After
        `restart` all so far is void.

        For agents and admins. The same as /api/chat with `Accept: text/event-stream`.

        Args:
            agent_id: The agent that asks. An agent's own key may leave it out.
            query: The question.
            messages: The last turns of the conversation before `query`, oldest first, so that a question can refer
                to them. With it they have 4,000 characters at most. They are part of what the receipt commits to as
                the question.
            pace: Of a stream: `reader` has the built-in model write as fast as people read. No other model is
                slowed.
            namespace_prefix: Only memories of this namespace, and of those below it: `trips` also finds
                `trips/2026`.
            source_agent: The agent that captured the memory. Exact and case-sensitive, NFC, no control characters.
            occurred_from: Only what says that it occurred then or later.
            occurred_to: Only what says that it occurred then or before; a date is the whole day.
            metadata: Only memories with these values, compared as texts. In a URL: metadata.topic=food.
            as_of: What was current then, and is not forgotten since. The policy is that of now.
            min_relevance: Only memories with at least this relevance, and pinned ones.
        """
        return self._answer(
            Route("POST", "/api/chat/stream", idempotent=True),
            {"gate": StreamedGate, "token": StreamedToken, "restart": StreamedRestart, "answer": StreamedAnswer},
            body={
                "query": query,
                **given({
                    "agentId": agent_id,
                    "messages": messages,
                    "pace": pace,
                    "namespacePrefix": namespace_prefix,
                    "sourceAgent": source_agent,
                    "occurredFrom": occurred_from,
                    "occurredTo": occurred_to,
                    "metadata": metadata,
                    "asOf": as_of,
                    "minRelevance": min_relevance,
                }),
            },
            options=options,
        )

    def companion(
        self,
        *,
        query: str,
        pace: Literal["reader"] | None = None,
        options: CallOptions | None = None,
    ) -> ChatReply:
        """Ask the health companion. Its answer says so when a namespace was closed to it.

        For agents and admins.

        Args:
            query: The question.
            pace: Of a stream: `reader` has the built-in model write as fast as people read. No other model is
                slowed.
        """
        return self._call(
            Route("POST", "/api/companion", idempotent=True),
            ChatReply,
            body={"query": query, **given({"pace": pace})},
            options=options,
        )

    def companion_stream(
        self,
        *,
        query: str,
        pace: Literal["reader"] | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[AnswerEvent]:
        """The same, as events: what passed the gate, the pieces of the answer, and at last the answer itself. After
        `restart` all so far is void.

        For agents and admins. The same as /api/companion with `Accept: text/event-stream`.

        Args:
            query: The question.
            pace: Of a stream: `reader` has the built-in model write as fast as people read. No other model is
                slowed.
        """
        return self._answer(
            Route("POST", "/api/companion/stream", idempotent=True),
            {"gate": StreamedGate, "token": StreamedToken, "restart": StreamedRestart, "answer": StreamedAnswer},
            body={"query": query, **given({"pace": pace})},
            options=options,
        )

    def recall(
        self,
        *,
        query: str,
        agent_id: str | None = None,
        messages: Sequence[ChatMessage] | None = None,
        limit: int | None = None,
        namespace_prefix: str | None = None,
        source_agent: str | None = None,
        occurred_from: date | str | datetime | None = None,
        occurred_to: date | str | datetime | None = None,
        metadata: dict[str, str | float | bool] | None = None,
        as_of: date | str | datetime | None = None,
        min_relevance: float | None = None,
        receipt: bool | None = None,
        options: CallOptions | None = None,
    ) -> RecallReply:
        """The memories that an agent may use for a question, best first, for your own model. Always on record.

        For agents and admins.

        Args:
            agent_id: The agent that asks. An agent's own key may leave it out.
            query: The question.
            messages: The last turns of the conversation before `query`, oldest first, so that a question can refer
                to them. With it they have 4,000 characters at most. They are part of what the receipt commits to as
                the question.
            limit: At most, and by default, RECALL_LIMIT.
            namespace_prefix: Only memories of this namespace, and of those below it: `trips` also finds
                `trips/2026`.
            source_agent: The agent that captured the memory. Exact and case-sensitive, NFC, no control characters.
            occurred_from: Only what says that it occurred then or later.
            occurred_to: Only what says that it occurred then or before; a date is the whole day.
            metadata: Only memories with these values, compared as texts. In a URL: metadata.topic=food.
            as_of: What was current then, and is not forgotten since. The policy is that of now.
            min_relevance: Only memories with at least this relevance, and pinned ones.
            receipt: false: leave the receipt out of the reply. It is on record in any case. The default is true.
        """
        return self._call(
            Route("POST", "/api/recall", idempotent=True),
            RecallReply,
            body={
                "query": query,
                **given({
                    "agentId": agent_id,
                    "messages": messages,
                    "limit": limit,
                    "namespacePrefix": namespace_prefix,
                    "sourceAgent": source_agent,
                    "occurredFrom": occurred_from,
                    "occurredTo": occurred_to,
                    "metadata": metadata,
                    "asOf": as_of,
                    "minRelevance": min_relevance,
                    "receipt": receipt,
                }),
            },
            options=options,
        )

    def explain(
        self,
        *,
        agent_id: str,
        query: str,
        limit: int | None = None,
        memory_id: str | None = None,
        options: CallOptions | None = None,
    ) -> ExplainReply:
        """What an agent would be given for a question, and why; and why not the rest. No model, no receipt.

        For admins of namespaces and admins.

        Args:
            agent_id: The agent's id. Exact and case-sensitive, NFC, no control characters and no invisible ones.
            query: The question.
            limit: At most, and by default, RECALL_LIMIT.
            memory_id: Explains this one in any case.
        """
        return self._call(
            Route("POST", "/api/explain", repeats="always"),
            ExplainReply,
            body={"agentId": agent_id, "query": query, **given({"limit": limit, "memoryId": memory_id})},
            options=options,
        )

    def learn(
        self,
        *,
        messages: Sequence[LearnMessage],
        agent_id: str | None = None,
        conversation_id: str | None = None,
        namespaces: Sequence[str] | None = None,
        default_namespace: str | None = None,
        include_assistant: bool | None = None,
        user_name: str | None = None,
        mode: Literal["propose", "review", "store"] | None = None,
        options: CallOptions | None = None,
    ) -> LearnReply:
        """Extract facts from a conversation: proposals, for yourself or for review, or memories. Always on record.

        For agents and admins.

        Args:
            agent_id: The agent that asks. An agent's own key may leave it out.
            messages: The conversation, oldest first, or a part of it.
            conversation_id: Your name for the conversation. The receipt commits to it.
            namespaces: Where facts may go: those whose name and description fit. By default all that the key may
                write; if it may write any, those that the agent may use. If there is one, all facts go there.
            default_namespace: For facts that fit none. Without it they are left out.
            include_assistant: true: what the assistant said of the user counts as well.
            user_name: What to call the user. "The user" by default.
            mode: propose, the default: nothing is stored. review: the proposals wait in /api/proposals until
                somebody accepts or declines them. store: each is captured as a memory.
        """
        return self._call(
            Route("POST", "/api/conversations", idempotent=True),
            LearnReply,
            body={
                "messages": messages,
                **given({
                    "agentId": agent_id,
                    "conversationId": conversation_id,
                    "namespaces": namespaces,
                    "defaultNamespace": default_namespace,
                    "includeAssistant": include_assistant,
                    "userName": user_name,
                    "mode": mode,
                }),
            },
            options=options,
        )

    def list_proposals(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        namespace: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[ListProposalsReply, WaitingProposal]:
        """Proposals that wait in namespaces that you govern, newest first.

        For admins of namespaces and admins.

        Args:
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
            namespace: The memory's category. Exact and case-sensitive, NFC, no control characters.
        """
        return self._pages(
            Route("GET", "/api/proposals"),
            ListProposalsReply,
            lambda page: page.proposals,
            query={"limit": limit, "cursor": cursor, "namespace": namespace},
            options=options,
        )

    def accept_proposal(
        self,
        proposal_id: str,
        *,
        content: str | None = None,
        namespace: str | None = None,
        options: CallOptions | None = None,
    ) -> AcceptProposalReply:
        """Store a proposal as a memory of its agent, as it is or edited. A repeat by the same caller gets the same
        memory.

        For admins of namespaces and admins.

        Args:
            content: In place of the proposed text.
            namespace: In place of the proposed one; you must govern both. There it takes no other memory's place.
        """
        return self._call(
            Route("POST", "/api/proposals/{proposalId}/accept", repeats="always"),
            AcceptProposalReply,
            path={"proposalId": proposal_id},
            body=given({"content": content, "namespace": namespace}),
            options=options,
        )

    def decline_proposal(self, proposal_id: str, *, options: CallOptions | None = None) -> DeclineProposalReply:
        """Decline a proposal. Its text is removed.

        For admins of namespaces and admins.
        """
        return self._call(
            Route("POST", "/api/proposals/{proposalId}/decline", repeats="always"),
            DeclineProposalReply,
            path={"proposalId": proposal_id},
            options=options,
        )

    def capture(
        self,
        *,
        namespace: str,
        content: str,
        source_agent: str | None = None,
        key: str | None = None,
        supersedes: str | None = None,
        expires_at: datetime | str | None = None,
        ttl: int | None = None,
        occurred_at: date | str | datetime | None = None,
        metadata: dict[str, str | float | bool] | None = None,
        options: CallOptions | None = None,
    ) -> CaptureReply:
        """Store a fact as a public blob and remember it.

        For agents and admins.

        Args:
            namespace: The memory's category. Exact and case-sensitive, NFC, no control characters and no invisible
                ones.
            content: The fact.
            source_agent: The agent that the fact is from. An agent's own key may leave it out.
            key: Your name for the fact. Another fact under the same key supersedes it.
            supersedes: The memory that it supersedes, of the same namespace.
            expires_at: When it expires: it is not recalled from then on.
            ttl: The same, in seconds from now.
            occurred_at: When the fact holds: a time, or a date. Part of the blob.
            metadata: Named values, 20 at most, and 2,048 bytes as JSON. Part of the blob.
        """
        return self._call(
            Route("POST", "/api/memories", idempotent=True),
            CaptureReply,
            body={
                "namespace": namespace,
                "content": content,
                **given({
                    "sourceAgent": source_agent,
                    "key": key,
                    "supersedes": supersedes,
                    "expiresAt": expires_at,
                    "ttl": ttl,
                    "occurredAt": occurred_at,
                    "metadata": metadata,
                }),
            },
            options=options,
        )

    def list_memories(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        q: str | None = None,
        namespace: str | None = None,
        namespace_prefix: str | None = None,
        source_agent: str | None = None,
        occurred_from: date | str | datetime | None = None,
        occurred_to: date | str | datetime | None = None,
        metadata: dict[str, str | float | bool] | None = None,
        superseded: bool | None = None,
        created_before: datetime | str | None = None,
        view_as: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[ListMemoriesReply, Memory]:
        """All memories, newest first; a page of them with any parameter. One request looks at 20,000 at most.

        For agents, admins of namespaces and admins.

        Args:
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
            q: Text that the content contains; ASCII letters match in either case.
            namespace: The memory's category. Exact and case-sensitive, NFC, no control characters.
            namespace_prefix: Only memories of this namespace, and of those below it: `trips` also finds
                `trips/2026`.
            source_agent: The agent that captured the memory. Exact and case-sensitive, NFC, no control characters.
            occurred_from: Only what says that it occurred then or later.
            occurred_to: Only what says that it occurred then or before; a date is the whole day.
            metadata: Only memories with these values, compared as texts. In a URL: metadata.topic=food.
            superseded: Superseded memories instead.
            created_before: A time, as in RFC 3339.
            view_as: Only what this agent may use under the current policy.
        """
        return self._pages(
            Route("GET", "/api/memories"),
            ListMemoriesReply,
            lambda page: page.memories,
            query={
                "limit": limit,
                "cursor": cursor,
                "q": q,
                "namespace": namespace,
                "namespacePrefix": namespace_prefix,
                "sourceAgent": source_agent,
                "occurredFrom": occurred_from,
                "occurredTo": occurred_to,
                "metadata": metadata,
                "superseded": superseded,
                "createdBefore": created_before,
                "viewAs": view_as,
            },
            options=options,
        )

    def import_memories(
        self,
        *,
        lines: Iterable[Fact],
        dry_run: bool | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[ImportResult]:
        """Store up to 10000 facts, one a line, and stream a result line for each. Read while you write.

        For agents and admins.

        Args:
            lines: One after the other. The results come while they are read.
            dry_run: true: check each line against what is on record, and store nothing.
        """
        return self._send_lines(
            Route("POST", "/api/memories/import", idempotent=True),
            ImportResult,
            lines,
            query={"dryRun": dry_run},
            options=options,
        )

    def forget_memories(
        self,
        *,
        namespace: str | None = None,
        namespace_prefix: str | None = None,
        source_agent: str | None = None,
        occurred_from: date | str | datetime | None = None,
        occurred_to: date | str | datetime | None = None,
        metadata: dict[str, str | float | bool] | None = None,
        before: datetime | str | None = None,
        reason: str | None = None,
        dry_run: bool | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> ForgetMemoriesReply:
        """Forget many memories, up to 2,000 a call. Call again with `nextCursor` while there is one.

        For agents, admins of namespaces and admins.

        Args:
            namespace: The memory's category. Exact and case-sensitive, NFC, no control characters.
            namespace_prefix: Only memories of this namespace, and of those below it: `trips` also finds
                `trips/2026`.
            source_agent: The agent that captured the memory. Exact and case-sensitive, NFC, no control characters.
            occurred_from: Only what says that it occurred then or later.
            occurred_to: Only what says that it occurred then or before; a date is the whole day.
            metadata: Only memories with these values, compared as texts. In a URL: metadata.topic=food.
            before: Only those captured before this time.
            reason: Why it is forgotten. It stays in the tombstone.
            dry_run: true: count what would be forgotten, and forget nothing.
            cursor: `nextCursor` of the call before.
        """
        return self._call(
            Route("POST", "/api/memories/forget"),
            ForgetMemoriesReply,
            body=given({
                "namespace": namespace,
                "namespacePrefix": namespace_prefix,
                "sourceAgent": source_agent,
                "occurredFrom": occurred_from,
                "occurredTo": occurred_to,
                "metadata": metadata,
                "before": before,
                "reason": reason,
                "dryRun": dry_run,
                "cursor": cursor,
            }),
            options=options,
        )

    def forget_memory(
        self,
        memory_id: str,
        *,
        reason: str | None = None,
        options: CallOptions | None = None,
    ) -> ForgetMemoryReply:
        """Forget a memory. Final when it is answered. An agent forgets what it captured.

        For agents, admins of namespaces and admins.

        Args:
            memory_id: The memory's id.
            reason: Why it is forgotten. It stays in the tombstone.
        """
        return self._call(
            Route("DELETE", "/api/memories/{memoryId}", repeats="always"),
            ForgetMemoryReply,
            path={"memoryId": memory_id},
            query={"reason": reason},
            options=options,
        )

    def update_memory(
        self,
        memory_id: str,
        *,
        pinned: bool,
        options: CallOptions | None = None,
    ) -> UpdateMemoryReply:
        """Pin or unpin a memory. Half of RECALL_LIMIT memories of a namespace can be pinned.

        For admins of namespaces and admins.

        Args:
            memory_id: The memory's id.
        """
        return self._call(
            Route("PATCH", "/api/memories/{memoryId}"),
            UpdateMemoryReply,
            path={"memoryId": memory_id},
            body={"pinned": pinned},
            options=options,
        )

    def get_memory(self, memory_id: str, *, options: CallOptions | None = None) -> GetMemoryReply:
        """One memory.

        For agents, admins of namespaces and admins.

        Args:
            memory_id: The memory's id.
        """
        return self._call(
            Route("GET", "/api/memories/{memoryId}"),
            GetMemoryReply,
            path={"memoryId": memory_id},
            options=options,
        )

    def list_uses(
        self,
        memory_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[ListUsesReply, MemoryUse]:
        """The answers that were given this memory, newest first. Also of a forgotten one.

        For admins of namespaces, auditors and admins.

        Args:
            memory_id: The memory's id.
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
        """
        return self._pages(
            Route("GET", "/api/memories/{memoryId}/uses"),
            ListUsesReply,
            lambda page: page.uses,
            path={"memoryId": memory_id},
            query={"limit": limit, "cursor": cursor},
            options=options,
        )

    def get_tombstone(self, memory_id: str, *, options: CallOptions | None = None) -> GetTombstoneReply:
        """The signed tombstone of a forgotten memory. Public when an anchored receipt names the memory.

        Anyone may call it.

        Args:
            memory_id: The memory's id.
        """
        return self._call(
            Route("GET", "/api/tombstones/{memoryId}"),
            GetTombstoneReply,
            path={"memoryId": memory_id},
            options=options,
        )

    def list_namespaces(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[ListNamespacesReply, Namespace]:
        """Namespaces that have memories or settings, by name.

        For agents, admins of namespaces, auditors and admins.

        Args:
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
        """
        return self._pages(
            Route("GET", "/api/namespaces"),
            ListNamespacesReply,
            lambda page: page.namespaces,
            query={"limit": limit, "cursor": cursor},
            options=options,
        )

    def get_namespace(self, name: str, *, options: CallOptions | None = None) -> GetNamespaceReply:
        """One namespace.

        For agents, admins of namespaces, auditors and admins.

        Args:
            name: The memory's category. Exact and case-sensitive, NFC, no control characters.
        """
        return self._call(
            Route("GET", "/api/namespaces/{name}"),
            GetNamespaceReply,
            path={"name": name},
            options=options,
        )

    def put_namespace(
        self,
        name: str,
        *,
        description: str | None = None,
        retention_seconds: int | None = None,
        encrypted: bool | None = None,
        options: CallOptions | None = None,
    ) -> PutNamespaceReply:
        """Say what a namespace is for, how long its memories are kept, and whether they are encrypted.

        For admins of namespaces and admins.

        Args:
            name: The memory's category. Exact and case-sensitive, NFC, no control characters and no invisible ones.
            description: What it is for, for people.
            retention_seconds: How long memories are kept that do not say it themselves; for those captured from then
                on.
            encrypted: Whether its memories are encrypted. Left out: as it is.
        """
        return self._call(
            Route("PUT", "/api/namespaces/{name}"),
            PutNamespaceReply,
            path={"name": name},
            body=given({"description": description, "retentionSeconds": retention_seconds, "encrypted": encrypted}),
            options=options,
        )

    def get_by_key(
        self,
        name: str,
        key: str,
        *,
        source_agent: str | None = None,
        options: CallOptions | None = None,
    ) -> GetByKeyReply:
        """The memory that its source agent captured under this key.

        For agents, admins of namespaces and admins.

        Args:
            name: The memory's category. Exact and case-sensitive, NFC, no control characters.
            key: The source agent's own name for a fact, unique in its namespace.
            source_agent: Whose key it is. An agent's own key may leave it out.
        """
        return self._call(
            Route("GET", "/api/namespaces/{name}/keys/{key}"),
            GetByKeyReply,
            path={"name": name, "key": key},
            query={"sourceAgent": source_agent},
            options=options,
        )

    def forget_by_key(
        self,
        name: str,
        key: str,
        *,
        source_agent: str | None = None,
        reason: str | None = None,
        options: CallOptions | None = None,
    ) -> ForgetByKeyReply:
        """Forget the memory under this key.

        For agents, admins of namespaces and admins.

        Args:
            name: The memory's category. Exact and case-sensitive, NFC, no control characters.
            key: The source agent's own name for a fact, unique in its namespace.
            source_agent: Whose key it is. An agent's own key may leave it out.
            reason: Why it is forgotten. It stays in the tombstone.
        """
        return self._call(
            Route("DELETE", "/api/namespaces/{name}/keys/{key}"),
            ForgetByKeyReply,
            path={"name": name, "key": key},
            query={"sourceAgent": source_agent, "reason": reason},
            options=options,
        )

    @overload
    def get_policy(self, *, prefer: None = None, options: CallOptions | None = None) -> GetPolicyReply: ...

    @overload
    def get_policy(
        self,
        *,
        prefer: Literal["minimal"],
        options: CallOptions | None = None,
    ) -> GetPolicyMinimalReply: ...

    def get_policy(
        self,
        *,
        prefer: Literal["minimal"] | None = None,
        options: CallOptions | None = None,
    ) -> GetPolicyReply | GetPolicyMinimalReply:
        """The policy and its version.

        For agents, admins of namespaces, auditors and admins.

        Args:
            prefer: `minimal`: the reply has the version alone.
        """
        if prefer == "minimal":
            return self._call(Route("GET", "/api/policy"), GetPolicyMinimalReply, prefer=prefer, options=options)
        return self._call(Route("GET", "/api/policy"), GetPolicyReply, options=options)

    @overload
    def set_access(
        self,
        *,
        agent_id: str,
        namespace: str,
        allowed: bool | None,
        prefer: None = None,
        allow_confusable: bool | None = None,
        options: CallOptions | None = None,
    ) -> SetAccessReply: ...

    @overload
    def set_access(
        self,
        *,
        agent_id: str,
        namespace: str,
        allowed: bool | None,
        prefer: Literal["minimal"],
        allow_confusable: bool | None = None,
        options: CallOptions | None = None,
    ) -> SetAccessMinimalReply: ...

    def set_access(
        self,
        *,
        agent_id: str,
        namespace: str,
        allowed: bool | None,
        prefer: Literal["minimal"] | None = None,
        allow_confusable: bool | None = None,
        options: CallOptions | None = None,
    ) -> SetAccessReply | SetAccessMinimalReply:
        """Allow or revoke an agent's use of a namespace, or remove the rule.

        For admins of namespaces and admins.

        Args:
            prefer: `minimal`: the reply has the version alone.
            agent_id: The agent's id. Exact and case-sensitive, NFC, no control characters.
            namespace: The memory's category. Exact and case-sensitive, NFC, no control characters.
            allowed: Null removes the rule. Then the namespace is closed, as if nobody had opened it.
            allow_confusable: For admins: a new name may look like another one that exists.
        """
        if prefer == "minimal":
            return self._call(
                Route("POST", "/api/policy", repeats="revokes"),
                SetAccessMinimalReply,
                body={
                    "agentId": agent_id,
                    "namespace": namespace,
                    "allowed": allowed,
                    **given({"allowConfusable": allow_confusable}),
                },
                prefer=prefer,
                options=options,
            )
        return self._call(
            Route("POST", "/api/policy", repeats="revokes"),
            SetAccessReply,
            body={
                "agentId": agent_id,
                "namespace": namespace,
                "allowed": allowed,
                **given({"allowConfusable": allow_confusable}),
            },
            options=options,
        )

    @overload
    def set_access_batch(
        self,
        *,
        rules: Sequence[AccessRule],
        prefer: None = None,
        allow_confusable: bool | None = None,
        if_version: int | None = None,
        options: CallOptions | None = None,
    ) -> SetAccessBatchReply: ...

    @overload
    def set_access_batch(
        self,
        *,
        rules: Sequence[AccessRule],
        prefer: Literal["minimal"],
        allow_confusable: bool | None = None,
        if_version: int | None = None,
        options: CallOptions | None = None,
    ) -> SetAccessBatchMinimalReply: ...

    def set_access_batch(
        self,
        *,
        rules: Sequence[AccessRule],
        prefer: Literal["minimal"] | None = None,
        allow_confusable: bool | None = None,
        if_version: int | None = None,
        options: CallOptions | None = None,
    ) -> SetAccessBatchReply | SetAccessBatchMinimalReply:
        """Set up to 1,000 rules of the policy as one change: all of them, or none.

        For admins of namespaces and admins.

        Args:
            prefer: `minimal`: the reply has the version alone.
            allow_confusable: For admins: a new name may look like another one that exists.
            if_version: The version that the caller has seen. When the policy has another one, nothing changes (409).
        """
        if prefer == "minimal":
            return self._call(
                Route("POST", "/api/policy/batch", repeats="revokes"),
                SetAccessBatchMinimalReply,
                body={"rules": rules, **given({"allowConfusable": allow_confusable, "ifVersion": if_version})},
                prefer=prefer,
                options=options,
            )
        return self._call(
            Route("POST", "/api/policy/batch", repeats="revokes"),
            SetAccessBatchReply,
            body={"rules": rules, **given({"allowConfusable": allow_confusable, "ifVersion": if_version})},
            options=options,
        )

    def list_policy_changes(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        agent_id: str | None = None,
        namespace: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[ListPolicyChangesReply, PolicyChange]:
        """The changes of the policy, newest first.

        For admins of namespaces, auditors and admins.

        Args:
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
            agent_id: Only the gates of this agent.
            namespace: Only the gates of this namespace.
        """
        return self._pages(
            Route("GET", "/api/policy/changes"),
            ListPolicyChangesReply,
            lambda page: page.changes,
            query={"limit": limit, "cursor": cursor, "agentId": agent_id, "namespace": namespace},
            options=options,
        )

    def list_receipts(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        agent_id: str | None = None,
        answer_ids: str | None = None,
        namespace: str | None = None,
        anchored: Literal["yes", "no"] | None = None,
        verified: Literal["yes", "no"] | None = None,
        status: Literal["begun", "issued", "broken-off"] | None = None,
        model: str | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[ListReceiptsReply, ReceiptEntry]:
        """The receipts on record, newest first, with their anchors. One request looks at 20,000 at most.

        For agents, auditors and admins.

        Args:
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
            agent_id: The agent's id. Exact and case-sensitive, NFC, no control characters.
            answer_ids: Only these answers, up to 100, separated by commas.
            namespace: Used by the answer, or blocked.
            anchored: yes: receipts that were stored as a blob; those on the ledger are among them; no: the others.
            verified: yes: receipts whose memories were all verified and intact when they were issued; no: the
                others.
            status: begun: the answer is in progress, and its receipt was on record before its prompt left.
                broken-off: the answer did not reach the caller whole.
            model: The name of the model that was asked.
            from_: Of answers from this time on, `2026-01-02T03:04:05.678Z` for example.
            to: Of answers before this time.
        """
        return self._pages(
            Route("GET", "/api/receipts"),
            ListReceiptsReply,
            lambda page: page.receipts,
            query={
                "limit": limit,
                "cursor": cursor,
                "agentId": agent_id,
                "answerIds": answer_ids,
                "namespace": namespace,
                "anchored": anchored,
                "verified": verified,
                "status": status,
                "model": model,
                "from": from_,
                "to": to,
            },
            options=options,
        )

    def get_receipt(self, answer_id: str, *, options: CallOptions | None = None) -> ReceiptEntry:
        """One receipt on record, with its anchors.

        For agents, auditors and admins.

        Args:
            answer_id: The answer's id.
        """
        return self._call(
            Route("GET", "/api/receipts/{answerId}"),
            ReceiptEntry,
            path={"answerId": answer_id},
            options=options,
        )

    def list_blocked(self, answer_id: str, *, options: CallOptions | None = None) -> AllBlocked:
        """All namespaces that were blocked for an answer. Its receipt lists the first 1,000.

        For agents, auditors and admins.

        Args:
            answer_id: The answer's id.
        """
        return self._call(
            Route("GET", "/api/receipts/{answerId}/blocked"),
            AllBlocked,
            path={"answerId": answer_id},
            options=options,
        )

    def get_receipt_proof(self, answer_id: str, *, options: CallOptions | None = None) -> LogProof:
        """That the receipt of an answer is in the transparency log, for whoever may read the receipt.

        For agents, auditors and admins.

        Args:
            answer_id: The answer's id.
        """
        return self._call(
            Route("GET", "/api/receipts/{answerId}/proof"),
            LogProof,
            path={"answerId": answer_id},
            options=options,
        )

    def get_receipt_proof_file(self, answer_id: str, *, options: CallOptions | None = None) -> str:
        """The same as a file (C2SP tlog-proof).

        For agents, auditors and admins.

        Args:
            answer_id: The answer's id.
        """
        return self._text(
            Route("GET", "/api/receipts/{answerId}/proof.tlog-proof"),
            path={"answerId": answer_id},
            options=options,
        )

    def get_log(self, *, options: CallOptions | None = None) -> Log:
        """The log, and where the tenant's entries end in it. Two auditors of a tenant can compare that.

        For auditors and admins.
        """
        return self._call(Route("GET", "/api/log"), Log, options=options)

    def list_log_entries(
        self,
        *,
        after: int | None = None,
        limit: int | None = None,
        chain: Literal["tenant", "deployment"] | None = None,
        options: CallOptions | None = None,
    ) -> ListLogEntriesReply:
        """The tenant's entries in the tree, by number, each with what opens it.

        For auditors and admins.

        Args:
            after: Entries after this number.
            limit: How many a page has.
            chain: deployment: keys that sign receipts, and keys that act in every tenant.
        """
        return self._call(
            Route("GET", "/api/log/entries"),
            ListLogEntriesReply,
            query={"after": after, "limit": limit, "chain": chain},
            options=options,
        )

    def get_log_consistency(
        self,
        *,
        from_: int | None = None,
        to: int | None = None,
        options: CallOptions | None = None,
    ) -> GetLogConsistencyReply:
        """That the tree of one size is the beginning of the tree of another.

        Anyone may call it.
        """
        return self._call(
            Route("GET", "/api/log/consistency"),
            GetLogConsistencyReply,
            query={"from": from_, "to": to},
            options=options,
        )

    def anchor_receipt(
        self,
        *,
        receipt: ReceiptToAnchor | AnswerReceipt | ViewedReceipt | None = None,
        answer_id: str | None = None,
        sealed: bool | None = None,
        options: CallOptions | None = None,
    ) -> AnchorReceiptReply:
        """Store a receipt as a blob and check that the blob resolves.

        For agents and admins.

        Args:
            answer_id: In place of the receipt: the id of one that this service issued.
            sealed: Anchor the sealed form: nobody can read its private fields without an opening. Only for a receipt
                on record here. Always so when an encrypted memory was used, or the service is set to ANCHOR_SEALED.
        """
        return self._call(
            Route("POST", "/api/anchor", idempotent=True),
            AnchorReceiptReply,
            body=given({"receipt": receipt, "answerId": answer_id, "sealed": sealed}),
            options=options,
        )

    def anchor_on_chain(
        self,
        *,
        receipt: ReceiptToAnchor | AnswerReceipt | ViewedReceipt | None = None,
        answer_id: str | None = None,
        sealed: bool | None = None,
        claim_namespaces: Sequence[str] | None = None,
        options: CallOptions | None = None,
    ) -> AnchorOnChainReply:
        """Store a receipt as a blob and record its digest on the ledger, with the namespaces that it claims.

        For agents and admins.

        Args:
            answer_id: In place of the receipt: the id of one that this service issued.
            sealed: Anchor the sealed form: nobody can read its private fields without an opening. Only for a receipt
                on record here. Always so when an encrypted memory was used, or the service is set to ANCHOR_SEALED.
        """
        return self._call(
            Route("POST", "/api/anchor-chain", idempotent=True),
            AnchorOnChainReply,
            body=given({
                "receipt": receipt,
                "answerId": answer_id,
                "sealed": sealed,
                "claimNamespaces": claim_namespaces,
            }),
            options=options,
        )

    def find_anchors(self, id: str, *, options: CallOptions | None = None) -> FoundAnchors:
        """The anchors that anyone may know of, by any id of theirs. What is not anchored is not found.

        Anyone may call it.

        Args:
            id: Any id of it: of its object on the ledger (0x…), its transaction (base58), its blob, the digest of
                its bytes (hex), or its answer.
        """
        return self._call(Route("GET", "/api/anchors/{id}"), FoundAnchors, path={"id": id}, options=options)

    def verify(
        self,
        receipt_id: str,
        *,
        deep: Literal["0", "1"] | None = None,
        options: CallOptions | None = None,
    ) -> Verification:
        """Verify an anchored receipt from the ledger's object and the raw bytes of the blobs.

        Anyone may call it.

        Args:
            receipt_id: 0x and hexadecimal digits.
            deep: 1: derive every blob id from its bytes. Takes seconds.
        """
        return self._call(
            Route("GET", "/api/verify/{receiptId}"),
            Verification,
            path={"receiptId": receipt_id},
            query={"deep": deep},
            options=options,
        )

    def verify_with_opening(
        self,
        receipt_id: str,
        *,
        opening: OpeningDocument | Opening,
        deep: Literal["0", "1"] | None = None,
        options: CallOptions | None = None,
    ) -> Verification:
        """Verify an anchored receipt with an opening, which the service then knows. It is not kept.

        Anyone may call it.

        Args:
            receipt_id: 0x and hexadecimal digits.
            deep: 1: derive every blob id from its bytes. Takes seconds.
            opening: `opening` of an answer, or an opening document. See docs/proof.md.
        """
        return self._call(
            Route("POST", "/api/verify/{receiptId}"),
            Verification,
            path={"receiptId": receipt_id},
            query={"deep": deep},
            body={"opening": opening},
            options=options,
        )

    def get_ledger(self, *, options: CallOptions | None = None) -> Ledger:
        """The ledger's network and package, for a verifier.

        Anyone may call it.
        """
        return self._call(Route("GET", "/api/ledger"), Ledger, options=options)

    def get_trust_root(self, *, options: CallOptions | None = None) -> TrustRoot:
        """The keys that sign receipts, and where anchors are recorded, as the operator says: what a verifier may
        trust.

        Anyone may call it.
        """
        return self._call(Route("GET", "/.well-known/portcullis.json"), TrustRoot, options=options)

    def ledger_object(self, object_id: str, *, options: CallOptions | None = None) -> LedgerObject:
        """An object of the local ledger, decoded and as BCS.

        Anyone may call it.

        Args:
            object_id: 0x and hexadecimal digits.
        """
        return self._call(
            Route("GET", "/api/ledger/objects/{objectId}"),
            LedgerObject,
            path={"objectId": object_id},
            options=options,
        )

    def ledger_transaction(self, digest: str, *, options: CallOptions | None = None) -> LedgerTransaction:
        """A transaction of the local ledger, decoded and as BCS.

        Anyone may call it.

        Args:
            digest: A digest in base58.
        """
        return self._call(
            Route("GET", "/api/ledger/transactions/{digest}"),
            LedgerTransaction,
            path={"digest": digest},
            options=options,
        )

    def ledger_transactions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[LedgerTransactionsReply, LedgerEntry]:
        """The local ledger's transactions, newest first.

        For auditors and admins.

        Args:
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
        """
        return self._pages(
            Route("GET", "/api/ledger/transactions"),
            LedgerTransactionsReply,
            lambda page: page.transactions,
            query={"limit": limit, "cursor": cursor},
            options=options,
        )

    def get_overview(self, *, options: CallOptions | None = None) -> Overview:
        """Counts of memories, answers and anchors.

        For auditors and admins.
        """
        return self._call(Route("GET", "/api/overview"), Overview, options=options)

    def get_reports(
        self,
        *,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        options: CallOptions | None = None,
    ) -> Reports:
        """Accesses prevented, time from revoke to in force, share of answers on the ledger, gates never used.

        For auditors and admins.

        Args:
            from_: By default 28 days before `to`. Rounded to whole hours.
            to: By default now. At most 366 days after `from`.
        """
        return self._call(Route("GET", "/api/reports"), Reports, query={"from": from_, "to": to}, options=options)

    def get_service(self, *, options: CallOptions | None = None) -> Service:
        """The version of this service, and what it runs on.

        Anyone may call it.
        """
        return self._call(Route("GET", "/api/service"), Service, options=options)

    def get_metrics(self, *, options: CallOptions | None = None) -> str:
        """Metrics of this process, in the text format of Prometheus.

        For auditors, operators and admins.
        """
        return self._text(Route("GET", "/metrics"), options=options)

    def reset_demo(self, *, options: CallOptions | None = None) -> ResetDemoReply:
        """Restore the seed memories and the default policy. Receipts and anchors stay.

        For admins.
        """
        return self._call(Route("POST", "/api/reset"), ResetDemoReply, options=options)

    def list_decisions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        agent_id: str | None = None,
        request_id: str | None = None,
        outcome: Literal[
            "answered",
            "given",
            "captured",
            "changed",
            "anchored",
            "refused",
            "failed",
            "broken-off",
        ] | None = None,
        kind: Literal[
            "answer",
            "read",
            "capture",
            "policy",
            "forgetting",
            "anchor",
            "setting",
            "refusal",
            "failure",
        ] | None = None,
        namespace: str | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[ListDecisionsReply, Decision]:
        """The decision log, newest first; with `Accept: application/x-ndjson` all of it, one decision a line.

        For agents, auditors and admins.

        Args:
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
            agent_id: An agent reads its own decisions only.
            request_id: What became of this request. Its reply has the id in `x-request-id`.
            outcome: given: memories were listed or read. changed: the policy, a pin, a key, or all records by a
                reset. broken-off: an answer was begun, and did not reach its end.
            kind: What a decision is about, by its outcome and its route. answer: complete or broken off. read:
                memories were listed or read. setting: pins, keys, settings of namespaces, a reset, an import.
            namespace: What the decision is about: a change, a capture or a forgetting. Or a namespace that it held
                back.
            from_: From this time on, `2026-01-02T03:04:05.678Z` for example.
            to: Before this time.
        """
        return self._pages(
            Route("GET", "/api/decisions"),
            ListDecisionsReply,
            lambda page: page.decisions,
            query={
                "limit": limit,
                "cursor": cursor,
                "agentId": agent_id,
                "requestId": request_id,
                "outcome": outcome,
                "kind": kind,
                "namespace": namespace,
                "from": from_,
                "to": to,
            },
            options=options,
        )

    def listen_to_events(
        self,
        *,
        last_event_id: str | None = None,
        on_id: Callable[[str], object] | None = None,
        pause: float = 1.0,
        options: CallOptions | None = None,
    ) -> Iterator[FeedEvent]:
        """What happens, as server-sent events. `Last-Event-ID` replays up to 24 hours. Goes on by itself when a
        connection breaks.

        For agents, admins of namespaces, auditors and admins.

        Args:
            last_event_id: Goes on after this event.
            on_id: Called with each id that the feed could go on after, also of events that the caller does not get.
            pause: Seconds before the second try; doubled for each further one, up to 30 s.
        """
        return self._feed(
            Route("GET", "/api/events"),
            FeedEvent,
            last_event_id=last_event_id,
            on_id=on_id,
            pause=pause,
            options=options,
        )

    def list_webhooks(self, *, options: CallOptions | None = None) -> ListWebhooksReply:
        """The webhooks, newest first.

        For admins of namespaces and admins.
        """
        return self._call(Route("GET", "/api/webhooks"), ListWebhooksReply, options=options)

    def create_webhook(
        self,
        *,
        url: str,
        kinds: Sequence[Literal["policy-changed", "memory-captured", "memory-forgotten", "memory-superseded", "proposal-waiting", "proposal-accepted", "proposal-declined", "receipt-begun", "receipt-issued", "receipt-broken-off", "receipt-anchored"]] | None = None,
        options: CallOptions | None = None,
    ) -> CreateWebhookReply:
        """Send events to a URL from now on, signed as Standard Webhooks says. The secret is shown this once.

        For admins of namespaces and admins.

        Args:
            url: An https URL outside of the service's own network.
            kinds: Which events. Empty: all.
        """
        return self._call(
            Route("POST", "/api/webhooks", idempotent=True),
            CreateWebhookReply,
            body={"url": url, **given({"kinds": kinds})},
            options=options,
        )

    def remove_webhook(self, webhook_id: str, *, options: CallOptions | None = None) -> RemoveWebhookReply:
        """End a webhook.

        For admins of namespaces and admins.
        """
        return self._call(
            Route("DELETE", "/api/webhooks/{webhookId}", repeats="always"),
            RemoveWebhookReply,
            path={"webhookId": webhook_id},
            options=options,
        )

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[ListDeliveriesReply, WebhookDelivery]:
        """The last deliveries of a webhook, newest first. The last 200 are kept.

        For admins of namespaces and admins.

        Args:
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
        """
        return self._pages(
            Route("GET", "/api/webhooks/{webhookId}/deliveries"),
            ListDeliveriesReply,
            lambda page: page.deliveries,
            path={"webhookId": webhook_id},
            query={"limit": limit, "cursor": cursor},
            options=options,
        )

    def export_records(
        self,
        *,
        namespace: str | None = None,
        namespace_prefix: str | None = None,
        source_agent: str | None = None,
        occurred_from: date | str | datetime | None = None,
        occurred_to: date | str | datetime | None = None,
        metadata: dict[str, str | float | bool] | None = None,
        decrypt: Literal[True] | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[bytes]:
        """Everything that the caller may read, signed: a header, one record a line, and a trailer. An agent's export
        is what the gate gives it. With a filter of namespaces, times or metadata it holds memories alone.

        For agents, admins of namespaces, auditors and admins.

        Args:
            namespace: Only what is in this namespace. Then there are no decisions.
            namespace_prefix: Only memories of this namespace, and of those below it: `trips` also finds
                `trips/2026`.
            source_agent: Only what this agent captured, was allowed and was answered.
            occurred_from: Only what says that it occurred then or later.
            occurred_to: Only what says that it occurred then or before; a date is the whole day.
            metadata: Only memories with these values, compared as texts. In a URL: metadata.topic=food.
            decrypt: Encrypted memories as plain text, for an admin to read. Such an export cannot be imported.
        """
        return self._bytes(
            Route("GET", "/api/export"),
            query={
                "namespace": namespace,
                "namespacePrefix": namespace_prefix,
                "sourceAgent": source_agent,
                "occurredFrom": occurred_from,
                "occurredTo": occurred_to,
                "metadata": metadata,
                "decrypt": decrypt,
            },
            options=options,
        )

    def import_records(
        self,
        *,
        lines: bytes | Iterable[bytes],
        key: str | None = None,
        policy: Literal["replace"] | None = None,
        dry_run: bool | None = None,
        options: CallOptions | None = None,
    ) -> Iterator[ImportProgress]:
        """Record an export, once its signature was checked. Ids stay, and nothing is added twice.

        For admins.

        Args:
            lines: The export.
            key: The id of the key that must have signed it. Without it, the key must be one of this service.
            policy: Replace the policy with the exported one. Without it, only a policy that never changed is set.
            dry_run: true: check the export and say what it holds, and record nothing.
        """
        return self._send_export(
            Route("POST", "/api/import", idempotent=True),
            ImportProgress,
            lines,
            query={"key": key, "policy": policy, "dryRun": dry_run},
            options=options,
        )

    def list_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[ListKeysReply, ApiKey]:
        """The keys of callers, newest first, revoked ones included. Never the keys themselves.

        For operators and admins.

        Args:
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
        """
        return self._pages(
            Route("GET", "/api/keys"),
            ListKeysReply,
            lambda page: page.keys,
            query={"limit": limit, "cursor": cursor},
            options=options,
        )

    def create_key(
        self,
        *,
        name: str,
        role: str,
        captures: Sequence[str] | None = None,
        expires_at: datetime | str | None = None,
        tenants: Literal["all"] | None = None,
        options: CallOptions | None = None,
    ) -> CreateKeyReply:
        """Make a key. It is shown this once; only its hash is kept.

        For operators and admins.

        Args:
            name: What the key is for, for people. Exact and case-sensitive, NFC, no control characters and no
                invisible ones.
            role: `admin`, `admin:<namespace>,…`, `agent:<id>` or `auditor`; by an operator, `operator` or
                `agent:<id>`.
            captures: The namespaces that an agent's key may capture into. None unless they are named.
            expires_at: Left out: it does not expire.
            tenants: By an operator: the key of an agent that acts in every tenant, and has power over none.
        """
        return self._call(
            Route("POST", "/api/keys", idempotent=True),
            CreateKeyReply,
            body={
                "name": name,
                "role": role,
                **given({"captures": captures, "expiresAt": expires_at, "tenants": tenants}),
            },
            options=options,
        )

    def rotate_key(
        self,
        key_id: str,
        *,
        grace_seconds: int | None = None,
        options: CallOptions | None = None,
    ) -> RotateKeyReply:
        """Give a key another secret. The old one ends at once, or after the grace period.

        For operators and admins.

        Args:
            key_id: The key's id. It is no secret.
            grace_seconds: How long the old secret stays valid. It ends at once when this is left out.
        """
        return self._call(
            Route("POST", "/api/keys/{keyId}/rotate", idempotent=True),
            RotateKeyReply,
            path={"keyId": key_id},
            body=given({"graceSeconds": grace_seconds}),
            options=options,
        )

    def revoke_key(self, key_id: str, *, options: CallOptions | None = None) -> RevokeKeyReply:
        """End a key, its sessions and its streams, on every replica.

        For operators and admins.

        Args:
            key_id: The key's id. It is no secret.
        """
        return self._call(
            Route("DELETE", "/api/keys/{keyId}", repeats="always"),
            RevokeKeyReply,
            path={"keyId": key_id},
            options=options,
        )

    def list_tenants(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: Literal["active", "suspended", "deleted"] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[ListTenantsReply, Tenant]:
        """The tenants, oldest first. For operators.

        For operators.

        Args:
            limit: How many a page has.
            cursor: `nextCursor` of the page before.
            state: Left out: all. A deleted one is `deleted` from its deletion's beginning.
        """
        return self._pages(
            Route("GET", "/api/tenants"),
            ListTenantsReply,
            lambda page: page.tenants,
            query={"limit": limit, "cursor": cursor, "state": state},
            options=options,
        )

    def create_tenant(
        self,
        *,
        id: str,
        template: str | None = None,
        options: CallOptions | None = None,
    ) -> CreateTenantReply:
        """Make a tenant, with an empty policy and without memories.

        For operators.

        Args:
            id: The tenant's id.
            template: The template's name.
        """
        return self._call(
            Route("POST", "/api/tenants"),
            CreateTenantReply,
            body={"id": id, **given({"template": template})},
            options=options,
        )

    def apply_template(self, *, template: str, options: CallOptions | None = None) -> ApplyTemplateReply:
        """Bring the tenants that were made from a template to its newest version, in the background, each in one
        change of its policy. What their admins made or changed stays.

        For operators.

        Args:
            template: The template's name.
        """
        return self._call(
            Route("POST", "/api/tenants/apply-template"),
            ApplyTemplateReply,
            body={"template": template},
            options=options,
        )

    def put_tenant(
        self,
        tenant_id: str,
        *,
        template: str | None = None,
        options: CallOptions | None = None,
    ) -> PutTenantReply:
        """Make a tenant unless there is one of this id. For provisioning: it may be repeated.

        For operators.

        Args:
            tenant_id: The tenant's id.
            template: The template's name.
        """
        return self._call(
            Route("PUT", "/api/tenants/{tenantId}"),
            PutTenantReply,
            path={"tenantId": tenant_id},
            body=given({"template": template}),
            options=options,
        )

    def get_tenant(self, tenant_id: str, *, options: CallOptions | None = None) -> GetTenantReply:
        """One tenant, with counts. Nothing else of what is in it.

        For operators.

        Args:
            tenant_id: The tenant's id.
        """
        return self._call(
            Route("GET", "/api/tenants/{tenantId}"),
            GetTenantReply,
            path={"tenantId": tenant_id},
            options=options,
        )

    def update_tenant(
        self,
        tenant_id: str,
        *,
        suspended: bool | None = None,
        quotas: UpdateTenantQuotas | None = None,
        options: CallOptions | None = None,
    ) -> UpdateTenantReply:
        """Suspend or resume a tenant, or change its quotas. Nobody may act in a suspended one; its records stay.

        For operators.

        Args:
            tenant_id: The tenant's id.
            quotas: Those that change. Null goes back to the default.
        """
        return self._call(
            Route("PATCH", "/api/tenants/{tenantId}"),
            UpdateTenantReply,
            path={"tenantId": tenant_id},
            body=given({"suspended": suspended, "quotas": quotas}),
            options=options,
        )

    def delete_tenant(self, tenant_id: str, *, options: CallOptions | None = None) -> DeleteTenantReply:
        """Delete a tenant, for good. From the answer on nobody may act in it; its records are removed in the
        background, and `GET` shows how far it is. May be repeated.

        For operators.

        Args:
            tenant_id: The tenant's id.
        """
        return self._call(
            Route("DELETE", "/api/tenants/{tenantId}"),
            DeleteTenantReply,
            path={"tenantId": tenant_id},
            options=options,
        )

    def list_templates(self, *, options: CallOptions | None = None) -> ListTemplatesReply:
        """The names of the templates.

        For operators.
        """
        return self._call(Route("GET", "/api/tenant-templates"), ListTemplatesReply, options=options)

    def get_template(self, template: str, *, options: CallOptions | None = None) -> GetTemplateReply:
        """A template, and how many tenants have its newest version.

        For operators.

        Args:
            template: The template's name.
        """
        return self._call(
            Route("GET", "/api/tenant-templates/{template}"),
            GetTemplateReply,
            path={"template": template},
            options=options,
        )

    def put_template(
        self,
        template: str,
        *,
        rules: Sequence[AccessRule] | None = None,
        namespaces: Sequence[PutTemplateNamespace] | None = None,
        quotas: PutTemplateQuotas | None = None,
        options: CallOptions | None = None,
    ) -> PutTemplateReply:
        """Make or change a template. Tenants that were made from it stay as they are, until it is applied.

        For operators.

        Args:
            template: The template's name.
            rules: Rules of the policy.
            namespaces: Namespaces and their settings.
        """
        return self._call(
            Route("PUT", "/api/tenant-templates/{template}"),
            PutTemplateReply,
            path={"template": template},
            body=given({"rules": rules, "namespaces": namespaces, "quotas": quotas}),
            options=options,
        )

    def delete_template(self, template: str, *, options: CallOptions | None = None) -> DeleteTemplateReply:
        """Remove a template. Tenants that were made from it stay.

        For operators.

        Args:
            template: The template's name.
        """
        return self._call(
            Route("DELETE", "/api/tenant-templates/{template}"),
            DeleteTemplateReply,
            path={"template": template},
            options=options,
        )

    def create_tenant_key(
        self,
        tenant_id: str,
        *,
        name: str,
        expires_at: datetime | str | None = None,
        options: CallOptions | None = None,
    ) -> CreateTenantKeyReply:
        """Make a key of an admin of the tenant. It is shown this once; that admin makes the other keys.

        For operators.

        Args:
            tenant_id: The tenant's id.
            name: What the key is for, for people. Exact and case-sensitive, NFC, no control characters and no
                invisible ones.
            expires_at: Left out: it does not expire.
        """
        return self._call(
            Route("POST", "/api/tenants/{tenantId}/keys", idempotent=True),
            CreateTenantKeyReply,
            path={"tenantId": tenant_id},
            body={"name": name, **given({"expiresAt": expires_at})},
            options=options,
        )

    def get_session(self, *, options: CallOptions | None = None) -> Session:
        """Who you are.

        Anyone may call it.
        """
        return self._call(Route("GET", "/api/session"), Session, options=options)

    def sign_in(self, *, key: str, options: CallOptions | None = None) -> Session:
        """Begin a session of the app with a key. The cookie holds the session's id, and never the key.

        Anyone may call it.

        Args:
            key: A key of this service.
        """
        return self._call(Route("POST", "/api/session"), Session, body={"key": key}, options=options)

    def sign_out(self, *, options: CallOptions | None = None) -> Session:
        """End the session of the cookie.

        Anyone may call it.
        """
        return self._call(Route("DELETE", "/api/session"), Session, options=options)
