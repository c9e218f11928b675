# Generated from openapi.json by `npm run openapi`. Change the contract, not this file.
"""What the service takes and gives. Times are `datetime`; fields that are left out are None."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Union

from ._model import Literal, Model, RequestModel

__all__ = [
    "AcceptProposalReply",
    "AccessRule",
    "AllBlocked",
    "AnchorOnChainReply",
    "AnchorReceiptReply",
    "AnswerEvent",
    "AnswerReceipt",
    "ApiKey",
    "ApplyTemplateReply",
    "CaptureReply",
    "ChatMessage",
    "ChatReply",
    "CreateKeyReply",
    "CreateTenantKeyReply",
    "CreateTenantReply",
    "CreateWebhookReply",
    "Decision",
    "DecisionDetails",
    "DecisionDetailsFilters",
    "DeclineProposalReply",
    "DeleteTemplateReply",
    "DeleteTenantReply",
    "Encryption",
    "Evidence",
    "EvidenceLog",
    "ExplainReply",
    "ExplainedMemory",
    "ExplainedMemoryTerm",
    "Fact",
    "FeedEvent",
    "FeedEventData",
    "ForgetByKeyReply",
    "ForgetMemoriesReply",
    "ForgetMemoryReply",
    "FoundAnchors",
    "FoundAnchorsAnchor",
    "GateEvent",
    "GateEventBlockedSize",
    "GateEventMemory",
    "GetByKeyReply",
    "GetLogConsistencyReply",
    "GetMemoryReply",
    "GetNamespaceReply",
    "GetPolicyMinimalReply",
    "GetPolicyReply",
    "GetTemplateReply",
    "GetTenantReply",
    "GetTombstoneReply",
    "ImportProgress",
    "ImportProgressOutcome",
    "ImportProgressPlan",
    "ImportResult",
    "LearnMessage",
    "LearnReply",
    "LearnReplyKnown",
    "Ledger",
    "LedgerEntry",
    "LedgerObject",
    "LedgerTransaction",
    "LedgerTransactionCall",
    "LedgerTransactionChangedObject",
    "LedgerTransactionEvent",
    "LedgerTransactionStatus",
    "LedgerTransactionsReply",
    "ListDecisionsReply",
    "ListDeliveriesReply",
    "ListKeysReply",
    "ListLogEntriesReply",
    "ListMemoriesReply",
    "ListNamespacesReply",
    "ListPolicyChangesReply",
    "ListProposalsReply",
    "ListReceiptsReply",
    "ListTemplatesReply",
    "ListTenantsReply",
    "ListUsesReply",
    "ListWebhooksReply",
    "Log",
    "LogEntry",
    "LogProof",
    "LogProofAnchored",
    "Memory",
    "MemoryUse",
    "Namespace",
    "Opening",
    "OpeningDocument",
    "OpeningDocumentName",
    "Overview",
    "OverviewAnchors",
    "OverviewAnswers",
    "OverviewAnswersByHour",
    "OverviewMemories",
    "OverviewMemoriesByNamespace",
    "OverviewMemoriesBySourceAgent",
    "Policy",
    "PolicyChange",
    "Problem",
    "ProblemField",
    "Proposal",
    "ProposalSupersedes",
    "ProvenEntry",
    "PutNamespaceReply",
    "PutTemplateNamespace",
    "PutTemplateQuotas",
    "PutTemplateReply",
    "PutTenantReply",
    "Quotas",
    "RecallReply",
    "RecalledMemory",
    "ReceiptEntry",
    "ReceiptEntryAnchor",
    "ReceiptEntryChain",
    "ReceiptEntryName",
    "ReceiptToAnchor",
    "ReceiptToAnchorUsedMemory",
    "RemoveWebhookReply",
    "Reports",
    "ReportsGates",
    "ReportsGatesGate",
    "ReportsLedger",
    "ReportsPrevented",
    "ReportsPreventedWeek",
    "ReportsRevokes",
    "ResetDemoReply",
    "RevokeKeyReply",
    "RotateKeyReply",
    "Service",
    "ServiceBlobs",
    "ServiceLedger",
    "ServiceModel",
    "Session",
    "SetAccessBatchMinimalReply",
    "SetAccessBatchReply",
    "SetAccessMinimalReply",
    "SetAccessReply",
    "Signature",
    "SimilarMemory",
    "StreamedAnswer",
    "StreamedGate",
    "StreamedRestart",
    "StreamedRestartData",
    "StreamedToken",
    "StreamedTokenData",
    "TemplateProgress",
    "Tenant",
    "TenantDeletion",
    "TenantDeletionRemoved",
    "TenantTemplate",
    "TenantTemplateNamespace",
    "TenantTemplateRule",
    "TenantTombstone",
    "TenantUsage",
    "Tombstone",
    "TrustRoot",
    "TrustRootKey",
    "UnfinishedEvidence",
    "UpdateMemoryReply",
    "UpdateTenantQuotas",
    "UpdateTenantReply",
    "UsedMemory",
    "Verification",
    "VerificationChain",
    "VerificationCheck",
    "VerificationCheckCompared",
    "VerificationSealed",
    "ViewedReceipt",
    "ViewedReceiptUsedMemory",
    "WaitingProposal",
    "WaitingProposalSupersedes",
    "Webhook",
    "WebhookDelivery",
    "Why",
]


class ProblemField(Model):
    pointer: str | None = None
    parameter: str | None = None
    detail: str


class Problem(Model):
    type: str
    """urn:portcullis:problem:<code>"""
    title: str
    status: int
    code: str
    """Stable. Programs should decide by it."""
    detail: str
    request_id: str | None = None
    key_id: str | None = None
    """With `already-created`: the key that the first request created."""
    errors: list[ProblemField] | None = None
    """What is wrong with a field (a JSON pointer) or with a parameter."""


class ChatMessage(RequestModel):
    role: Literal["user", "assistant"]
    content: str
    """What was said."""


class UsedMemory(Model):
    memory_id: str
    """Assigned by the service."""
    namespace: str
    snippet: str
    """The beginning of the memory's text."""
    store_ref: str
    """Blob id of the memory in the blob store."""
    authorized: bool
    """Whether the policy allowed the memory."""
    content_digest: str
    """blake2b256 of the blob's bytes, hex. It binds the text beyond the snippet."""
    given: int
    """How many characters of the text were given to the model or the caller, in UTF-16 code units."""
    pinned: Literal[True] | None = None
    """It was marked as pinned in the prompt."""
    verified: bool
    """A live GET of the blob on the aggregator succeeded."""
    intact: bool
    """The bytes that it gave are the ones that were stored."""
    cited: bool | None = None
    """The model says that the answer rests on this memory. Absent when the model does not say."""


class EvidenceLog(Model):
    """The service's promise, when it signs: which transparency log has the receipt, and by when."""

    by: datetime
    origin: str


class Evidence(Model):
    v: Literal[2]
    """The format of the receipt."""
    kind: Literal["answered", "recalled"]
    """recalled: memories were given to a caller who brings their own model."""
    model: str | None
    """Null when no model was asked."""
    template: str | None
    """The id of the prompt's template. Null when no model was asked."""
    policy_version: int
    policy_digest: str
    """blake2b256, hex. Stands for the policy's history up to this version, and tells nothing about it."""
    ledger_version: int | None = None
    """The version of the policy on the ledger that was last read, when somebody else keeps it there."""
    log: EvidenceLog | None = None
    """The service's promise, when it signs: which transparency log has the receipt, and by when."""
    commitments: dict[str, str]
    """Salted commitments to private fields that this form does not show, by the path of the field. See
    docs/proof.md.
    """
    salts: dict[str, str]
    """The salts of private fields that this form shows, by the path of the field. See docs/proof.md."""


class Signature(Model):
    """By the service, when the receipt was issued."""

    key_id: str
    value: str
    """Ed25519 over the receipt's sealed form, base64url."""


class AnswerReceipt(Model):
    answer_id: str
    agent_id: str
    used_memories: list[UsedMemory]
    blocked_namespaces: list[str]
    """Every namespace that the agent may not use, in UTF-8 order; of more than 1,000, the first 1,000."""
    blocked_count: int | None = None
    """How many there are. Only when they are not all listed."""
    blocked_digest: str | None = None
    """blake2b256 of the canonical JSON of their whole list, hex. Only when they are not all listed."""
    created_at: datetime
    evidence: Evidence
    signature: Signature
    """By the service, when the receipt was issued."""


class Opening(Model):
    v: Literal[2]
    seed: str
    """Discloses every private field of this receipt, question, filters, prompt and answer among them. Hex."""


class ChatReply(Model):
    answer: str
    receipt: AnswerReceipt
    opening: Opening


class GateEventMemory(Model):
    memory_id: str
    namespace: str
    content: str
    """Its text as the prompt has it."""
    date: str | None = None
    """The day that it is about, as the prompt has it."""
    content_digest: str
    """blake2b256 of the blob's bytes, hex."""
    pinned: Literal[True] | None = None
    """It is marked as pinned in the prompt."""
    cut: Literal[True] | None = None
    """The prompt has only the beginning of its text."""


class GateEventBlockedSize(Model):
    namespace: str
    memories: int


class GateEvent(Model):
    answer_id: str
    """The receipt is on record under this id, in progress."""
    created_at: datetime
    """Its day, in UTC, stands in the prompt."""
    policy_version: int
    template: str | None
    """The id of the prompt's template, with which the prompt can be rebuilt. Null when no model is asked."""
    memories: list[GateEventMemory]
    """What passed: the memories of the prompt, in its order."""
    blocked_namespaces: list[str]
    """Every namespace that the agent may not use, in UTF-8 order; of more than 1,000, the first 1,000."""
    blocked_count: int | None = None
    """How many there are. Only when they are not all listed."""
    blocked_digest: str | None = None
    """blake2b256 of the canonical JSON of their whole list, hex. Only when they are not all listed."""
    blocked_sizes: list[GateEventBlockedSize] | None = None
    """How many memories each listed namespace has, whatever the question. For admins alone."""


class StreamedGate(Model):
    event: Literal["gate"]
    data: GateEvent


class StreamedTokenData(Model):
    text: str


class StreamedToken(Model):
    event: Literal["token"]
    data: StreamedTokenData


class StreamedRestartData(Model):
    pass


class StreamedRestart(Model):
    event: Literal["restart"]
    data: StreamedRestartData


class StreamedAnswer(Model):
    event: Literal["answer"]
    data: ChatReply


AnswerEvent = Union[StreamedGate, StreamedToken, StreamedRestart, StreamedAnswer]


class Why(Model):
    terms: list[str] | None = None
    """The terms that it shares with the question, or nearly shares."""
    date: Literal[True] | None = None
    """A date of the question is a date of its text, or when it occurred."""
    meaning: float | None = None
    """How close its meaning is to the question's, from -1 to 1."""
    meaning_by: Literal["table", "minilm"] | None = None
    """The table of word vectors, or the sentence model if it is configured and was in time."""
    neighbour: Literal[True] | None = None
    """Memories captured just before or after it match the question."""
    pinned: Literal[True] | None = None
    newest: Literal[True] | None = None
    """Nothing else spoke for it: it is among the newest."""


class RecalledMemory(Model):
    memory_id: str
    """Assigned by the service."""
    store_ref: str
    """Blob id of the memory in the blob store."""
    namespace: str
    content: str
    """The fact."""
    source_agent: str
    created_at: datetime
    content_digest: str
    """blake2b256 of the blob's bytes, hex."""
    pinned: Literal[True] | None = None
    """It is given for every question of an agent that may use it. Not part of the blob."""
    key: str | None = None
    """The source agent's own name for it."""
    expires_at: datetime | None = None
    """When it expires: it is not recalled from then on."""
    supersedes: str | None = None
    """The memory that it superseded."""
    superseded_by: str | None = None
    """The memory that superseded it. It is not recalled any more."""
    encrypted: Literal[True] | None = None
    """Its blob is encrypted."""
    occurred_at: str | datetime | None = None
    """When the fact holds: a time, or a date. Part of the blob."""
    metadata: dict[str, str | float | bool] | None = None
    """Named values, 20 at most, and 2,048 bytes as JSON. Part of the blob."""
    score: float
    relevance: float
    """How much it bears on the question. Comparable between questions, whatever other memories there are: see
    docs/gate.md.
    """
    why: Why


class RecallReply(Model):
    memories: list[RecalledMemory]
    omitted_count: int | None = None
    """How many further memories were found and left out, because all together have at most 400,000 bytes as JSON.
    Only when there are any.
    """
    incomplete: Literal[True] | None = None
    """The filter was applied to the newest 20,000 memories alone: there are more."""
    blocked_namespaces: list[str]
    """Every namespace that the agent may not use, in UTF-8 order; of more than 1,000, the first 1,000."""
    blocked_count: int | None = None
    """How many there are. Only when they are not all listed."""
    blocked_digest: str | None = None
    """blake2b256 of the canonical JSON of their whole list, hex. Only when they are not all listed."""
    receipt: AnswerReceipt | None = None
    opening: Opening | None = None


class ExplainedMemoryTerm(Model):
    term: str
    weight: float


class ExplainedMemory(Model):
    memory_id: str
    namespace: str
    fate: Literal[
        "given",
        "held-back",
        "below-limit",
        "near-duplicate",
        "not-relevant",
        "superseded",
        "expired",
        "forgotten",
    ]
    """`given`; or not: `held-back` (its gate is closed, and it would be given if all were open), `below-limit`
    (others come first), `near-duplicate` (another says the same), `not-relevant` (too little of it bears on the
    question), `superseded`, `expired`, `forgotten`.
    """
    rank: int | None = None
    """From 1: of those given and, after them, those below the limit; of a memory that is not relevant, among all."""
    gate: Literal["revoked", "blocked"] | None = None
    """Somebody closed it, or nobody ever opened it."""
    snippet: str | None = None
    """Absent when its text is gone."""
    created_at: datetime | None = None
    superseded_by: str | None = None
    relevance: float | None = None
    """How much it bears on the question. Comparable between questions, whatever other memories there are: see
    docs/gate.md.
    """
    why: Why | None = None
    terms: list[ExplainedMemoryTerm] | None = None
    """The terms of `why`, with what each weighs: a rare one weighs more."""


class ExplainReply(Model):
    policy_version: int
    memories: list[ExplainedMemory]
    """What a recall would give now, best first. Then others that the question finds, and the one that was named."""
    incomplete: Literal[True] | None = None
    """Only the namespaces that the caller administers were looked at."""


class LearnMessage(RequestModel):
    role: Literal["user", "assistant"]
    content: str
    """What was said."""
    at: datetime | str | None = None
    """When it was said: "tomorrow" counts from its date, as written. Now when it is left out."""


class ProposalSupersedes(Model):
    """The memory that it contradicts: it would take its place, or took it. The text is left out once it is stored."""

    memory_id: str
    content: str | None = None
    """The fact."""


class Proposal(Model):
    content: str
    """A standalone sentence: who, what and when."""
    namespace: str
    confidence: float
    derived_from: list[int]
    """The places of the messages that say it, from 0."""
    occurred_at: str | datetime | None = None
    """The day that it is about, if it is about one."""
    supersedes: ProposalSupersedes | None = None
    """The memory that it contradicts: it would take its place, or took it. The text is left out once it is stored."""
    proposal_id: str | None = None
    """It waits under this id, with mode review."""
    memory_id: str | None = None
    """The memory that it became."""


class LearnReplyKnown(Model):
    memory_id: str
    derived_from: list[int]
    """The places of the messages that say it, from 0."""


class LearnReply(Model):
    proposals: list[Proposal]
    known: list[LearnReplyKnown]
    """Memories that say already what was said. It is not proposed again."""
    left_out: int
    """How many facts were left out: they fit no namespace, may hold a secret, or were declined before."""
    extractor: str
    """The model that extracted them, or `portcullis-rules-1`, the built-in rules for English."""
    receipt: AnswerReceipt
    opening: Opening


class WaitingProposalSupersedes(Model):
    """The memory whose place it would take, as it is now: show both texts side by side."""

    memory_id: str
    content: str
    """The fact."""


class WaitingProposal(Model):
    proposal_id: str
    content: str
    """A standalone sentence: who, what and when."""
    namespace: str
    confidence: float
    derived_from: list[int]
    """The places of the messages that say it, from 0."""
    occurred_at: str | datetime | None = None
    """The day that it is about, if it is about one."""
    supersedes: WaitingProposalSupersedes | None = None
    """The memory whose place it would take, as it is now: show both texts side by side."""
    agent_id: str
    """The agent that it comes from, and that the memory will have as its source."""
    conversation_id: str | None = None
    """The caller's name for the conversation."""
    answer_id: str
    """The receipt of the extraction."""
    created_at: datetime
    expires_at: datetime
    """It is removed then, if nobody has decided: 30 days after it was made."""


class ListProposalsReply(Model):
    proposals: list[WaitingProposal]
    next_cursor: str | None = None
    """Absent on the last page."""


class Memory(Model):
    memory_id: str
    """Assigned by the service."""
    store_ref: str
    """Blob id of the memory in the blob store."""
    namespace: str
    content: str
    """The fact."""
    source_agent: str
    created_at: datetime
    content_digest: str
    """blake2b256 of the blob's bytes, hex."""
    pinned: Literal[True] | None = None
    """It is given for every question of an agent that may use it. Not part of the blob."""
    key: str | None = None
    """The source agent's own name for it."""
    expires_at: datetime | None = None
    """When it expires: it is not recalled from then on."""
    supersedes: str | None = None
    """The memory that it superseded."""
    superseded_by: str | None = None
    """The memory that superseded it. It is not recalled any more."""
    encrypted: Literal[True] | None = None
    """Its blob is encrypted."""
    occurred_at: str | datetime | None = None
    """When the fact holds: a time, or a date. Part of the blob."""
    metadata: dict[str, str | float | bool] | None = None
    """Named values, 20 at most, and 2,048 bytes as JSON. Part of the blob."""


class AcceptProposalReply(Model):
    memory: Memory


class DeclineProposalReply(Model):
    proposal_id: str


class SimilarMemory(Model):
    memory_id: str
    score: float


class CaptureReply(Model):
    memory: Memory
    similar: list[SimilarMemory] | None = None
    """Memories that say nearly the same, of the namespaces that the caller may use, closest first."""


class ListMemoriesReply(Model):
    memories: list[Memory]
    next_cursor: str | None = None
    """Absent on the last page. A page with filters may be short, even empty, and not the last."""


class ImportResult(Model):
    """Either `memory` or `problem`; in a dry run `dryRun` or `problem`."""

    line: int
    memory: Memory | None = None
    problem: Problem | None = None
    dry_run: Literal[True] | None = None
    """It would be stored, and is not."""


class Fact(RequestModel):
    namespace: str
    """The memory's category. Exact and case-sensitive, NFC, no control characters and no invisible ones."""
    content: str
    """The fact."""
    source_agent: str | None = None
    """The agent that the fact is from. An agent's own key may leave it out."""
    key: str | None = None
    """Your name for the fact. Another fact under the same key supersedes it."""
    supersedes: str | None = None
    """The memory that it supersedes, of the same namespace."""
    expires_at: datetime | str | None = None
    """When it expires: it is not recalled from then on."""
    ttl: int | None = None
    """The same, in seconds from now."""
    occurred_at: date | str | datetime | None = None
    """When the fact holds: a time, or a date. Part of the blob."""
    metadata: dict[str, str | float | bool] | None = None
    """Named values, 20 at most, and 2,048 bytes as JSON. Part of the blob."""


class ForgetMemoriesReply(Model):
    dry_run: Literal[True] | None = None
    """Nothing was forgotten: these are the counts of what would be."""
    forgotten: int
    anchored_receipts: int
    next_cursor: str | None = None
    """Where the next call goes on. Absent when all memories were looked at."""


class Tombstone(Model):
    memory_id: str
    namespace: str
    cause: Literal["forgotten", "expired", "reset", "encrypted"]
    """encrypted: the unencrypted memory was captured again as an encrypted one."""
    reason: str | None = None
    """Why it is forgotten. It stays in the tombstone."""
    forgotten_by: str
    forgotten_at: datetime
    signature: Signature
    """By the service. It holds no digest of the text: that would confirm guesses."""


class ForgetMemoryReply(Model):
    tombstone: Tombstone
    anchored_receipts: int
    """How many receipts that quote it were anchored in the open form. These are public, and stay."""
    public_until: datetime | None = None
    """The blob store keeps its public blob until then at the earliest. It is not renewed any more."""


class UpdateMemoryReply(Model):
    memory: Memory


class GetMemoryReply(Model):
    memory: Memory


class MemoryUse(Model):
    answer_id: str
    agent_id: str
    created_at: datetime
    status: Literal["begun", "issued", "broken-off"]


class ListUsesReply(Model):
    uses: list[MemoryUse]
    next_cursor: str | None = None
    """Absent on the last page."""


class GetTombstoneReply(Model):
    tombstone: Tombstone


class Namespace(Model):
    name: str
    memories: int
    """How many current memories it has."""
    description: str | None = None
    """What it is for, for people."""
    retention_seconds: int | None = None
    """How long memories are kept that do not say it themselves; for those captured from then on."""
    encrypted: bool


class ListNamespacesReply(Model):
    namespaces: list[Namespace]
    next_cursor: str | None = None
    """Absent on the last page."""


class GetNamespaceReply(Model):
    namespace: Namespace


class Encryption(Model):
    done: bool
    """False: it goes on in the background."""
    encrypted: int
    """How many unencrypted memories were captured again encrypted, and forgotten."""
    forgotten_history: int
    """How many superseded memories were forgotten. They are not captured again."""
    anchored_receipts: int
    """How often receipts that were anchored in the open form quote them. These stay public."""
    public_until: datetime | None = None
    """The blob store keeps the last of the unencrypted blobs until then at the earliest."""


class PutNamespaceReply(Model):
    namespace: Namespace
    encryption: Encryption | None = None


class GetByKeyReply(Model):
    memory: Memory


class ForgetByKeyReply(Model):
    tombstone: Tombstone
    anchored_receipts: int
    """How many receipts that quote it were anchored in the open form. These are public, and stay."""
    public_until: datetime | None = None
    """The blob store keeps its public blob until then at the earliest. It is not renewed any more."""


# Agent id, then namespace, then allowed (true) or revoked (false).
Policy = dict[str, dict[str, bool]]


class GetPolicyReply(Model):
    policy: Policy
    version: int
    """Grows with every change of the policy."""


class GetPolicyMinimalReply(Model):
    version: int
    """Grows with every change of the policy."""


class SetAccessReply(Model):
    policy: Policy
    version: int
    """Grows with every change of the policy."""


class SetAccessMinimalReply(Model):
    version: int
    """Grows with every change of the policy."""


class AccessRule(RequestModel):
    agent_id: str
    """The agent's id. Exact and case-sensitive, NFC, no control characters."""
    namespace: str
    """The memory's category. Exact and case-sensitive, NFC, no control characters."""
    allowed: bool | None
    """Null removes the rule. Then the namespace is closed, as if nobody had opened it."""


class SetAccessBatchReply(Model):
    policy: Policy
    version: int
    """Grows with every change of the policy."""


class SetAccessBatchMinimalReply(Model):
    version: int
    """Grows with every change of the policy."""


class PolicyChange(Model):
    version: int
    """The policy's version after the change. All changes of a batch, or of a reset, have the same one."""
    agent_id: str
    """Empty, as the namespace: no rule changed, the version moved past that of the ledger."""
    namespace: str
    from_: bool | None
    """Null: there was no rule."""
    to: bool | None
    """Null: the rule was removed."""
    by: str
    """The name of the caller."""
    at: datetime


class ListPolicyChangesReply(Model):
    changes: list[PolicyChange]
    next_cursor: str | None = None
    """Absent on the last page."""


class ViewedReceiptUsedMemory(Model):
    memory_id: str
    """Assigned by the service."""
    namespace: str
    snippet: str | None = None
    """Left out for auditors, and for an agent where it may not use the namespace now."""
    store_ref: str
    """Blob id of the memory in the blob store."""
    authorized: bool
    """Whether the policy allowed the memory."""
    content_digest: str
    """blake2b256 of the blob's bytes, hex. It binds the text beyond the snippet."""
    given: int
    """How many characters of the text were given to the model or the caller, in UTF-16 code units."""
    pinned: Literal[True] | None = None
    """It was marked as pinned in the prompt."""
    verified: bool | None = None
    """A live GET of the blob on the aggregator succeeded. Left out while the receipt is not complete."""
    intact: bool | None = None
    """The bytes that it gave are the ones that were stored. Left out while the receipt is not complete."""
    cited: bool | None = None
    """The model says that the answer rests on this memory. Absent when the model does not say."""


class UnfinishedEvidence(Model):
    v: Literal[2]
    """The format of the receipt."""
    kind: Literal["answered", "recalled"]
    """recalled: memories were given to a caller who brings their own model."""
    model: str | None
    """Null when no model was asked."""
    template: str | None
    """The id of the prompt's template. Null when no model was asked."""
    policy_version: int
    policy_digest: str
    """blake2b256, hex. Stands for the policy's history up to this version, and tells nothing about it."""
    ledger_version: int | None = None
    """The version of the policy on the ledger that was last read, when somebody else keeps it there."""
    log: EvidenceLog | None = None
    """The service's promise, when it signs: which transparency log has the receipt, and by when."""
    commitments: dict[str, str]
    """Salted commitments to private fields that this form does not show, by the path of the field. See
    docs/proof.md.
    """


class ViewedReceipt(Model):
    answer_id: str
    agent_id: str
    used_memories: list[ViewedReceiptUsedMemory]
    blocked_namespaces: list[str]
    """Every namespace that the agent may not use, in UTF-8 order; of more than 1,000, the first 1,000."""
    blocked_count: int | None = None
    """How many there are. Only when they are not all listed."""
    blocked_digest: str | None = None
    """blake2b256 of the canonical JSON of their whole list, hex. Only when they are not all listed."""
    created_at: datetime
    evidence: Evidence | UnfinishedEvidence
    """Without salts while the receipt is not complete."""
    signature: Signature | None = None
    """By the service, when the receipt was issued. Left out while the receipt is not complete."""


class ReceiptEntryName(Model):
    name: str
    salt: str
    """32 bytes, hex."""


class ReceiptEntryAnchor(Model):
    blob_id: str
    anchored_at: datetime
    sealed: Literal[True] | None = None
    """Its private fields were anchored as commitments alone. Left out otherwise."""
    stored_until: datetime | None = None
    """Until when the blob store keeps the receipt and the memories that it names, at least. Null: as long as this
    service keeps its records. Left out when it is not known.
    """


class ReceiptEntryChain(Model):
    receipt_id: str
    tx_digest: str
    all_authorized: bool
    claimed: list[str]
    anchored_at: datetime
    sealed: Literal[True] | None = None
    """Its private fields were anchored as commitments alone. Left out otherwise."""


class ReceiptEntry(Model):
    status: Literal["begun", "issued", "broken-off"]
    """begun: the answer is in progress, and its receipt was on record before its prompt left. broken-off: the answer
    did not reach the caller whole.
    """
    reason: Literal[
        "caller-gone",
        "model-failed",
        "prompt-too-long",
        "policy-changed",
        "records-failed",
        "abandoned",
        "failed",
    ] | None = None
    """Why the answer was broken off."""
    receipt: ViewedReceipt
    opening: Opening | None = None
    """When one receipt is read by its agent or an admin, and nothing of it is left out."""
    question: str | None = None
    """For the agent and admins, where the service is set to KEEP_QUESTIONS; of a conversation that was learned from,
    its JSON, by KEEP_CONVERSATIONS. Never when an encrypted memory was used; gone when a used memory is forgotten.
    """
    names: list[ReceiptEntryName] | None = None
    """Beside the opening, when the ledger has pseudonyms: the salts of the names that it knows of this receipt.
    Whoever has one recognizes that name in all receipts there.
    """
    anchor: ReceiptEntryAnchor | None
    """The blob that it is stored as; the last one when there are several. Lists leave `storedUntil` out."""
    chain: list[ReceiptEntryChain]
    """Its receipts on the ledger, oldest first; only the last 20."""
    pending: int
    """How many requests for the ledger have no outcome yet."""


class ListReceiptsReply(Model):
    receipts: list[ReceiptEntry]
    next_cursor: str | None = None
    """Absent on the last page. A page with filters may be short, even empty, and not the last."""


class AllBlocked(Model):
    blocked_namespaces: list[str]
    """In UTF-8 order."""
    blocked_count: int
    blocked_digest: str
    """blake2b256 of the list's canonical JSON, hex."""


class ProvenEntry(Model):
    number: int
    """The tenant's running number, 1, 2, 3 … without gaps."""
    index: int
    """In the tree."""
    body: str
    """Canonical JSON: `at`, `kind`, `number`, and more."""
    salt: str
    """32 bytes, hex. With the body, it gives the entry."""
    hashes: list[str]
    """To the root. The sibling of the leaf first, the child of the root last."""


class LogProofAnchored(Model):
    """Once the ledger has a tree with the entry."""

    object_id: str
    """A `Checkpoint` on the ledger: a tree of the log that nobody can change."""
    hashes: list[str]
    """From `entry` to the root of that tree."""


class LogProof(Model):
    vkey: str
    """The name and the key of the log (C2SP signed-note)."""
    entry: ProvenEntry
    """`issued`: the digest of the receipt's sealed form, and of its signature."""
    opened: ProvenEntry
    """Recorded before the prompt left."""
    key: ProvenEntry
    """`signing-key`, in the chain of the deployment: the key that signed the receipt, begun."""
    checkpoint: str
    """A signed note (C2SP tlog-checkpoint), with the cosignatures of witnesses."""
    anchored: LogProofAnchored | None = None
    """Once the ledger has a tree with the entry."""
    dated: list[ProvenEntry] | None = None
    """Of used memories that were forgotten, of the keys that sign their tombstones, and of ends of keys."""


class Log(Model):
    vkey: str
    """The name and the key of the log (C2SP signed-note)."""
    number: int
    """Of the tenant's last entry in the tree."""
    chain: str
    """The hash chain over the tenant's entries, hex."""
    size: int
    """Of the tree that has them."""
    checkpoint: str


class LogEntry(Model):
    number: int
    """The tenant's running number, 1, 2, 3 … without gaps."""
    index: int
    """In the tree."""
    body: str
    """Canonical JSON: `at`, `kind`, `number`, and more."""
    salt: str
    """32 bytes, hex. With the body, it gives the entry."""


class ListLogEntriesReply(Model):
    entries: list[LogEntry]


class GetLogConsistencyReply(Model):
    hashes: list[str]


class ReceiptToAnchorUsedMemory(Model):
    namespace: str
    """The memory's category. Exact and case-sensitive, NFC, no control characters."""
    snippet: Literal[""] | str
    store_ref: str
    """Blob id of the memory."""
    authorized: bool
    verified: bool


class ReceiptToAnchor(Model):
    answer_id: str
    """The answer's id."""
    agent_id: str
    """The agent that the answer was given to. Exact and case-sensitive, NFC, no control characters."""
    used_memories: Sequence[ReceiptToAnchorUsedMemory]
    blocked_namespaces: Sequence[str]
    created_at: str


class AnchorReceiptReply(Model):
    blob_id: str
    verified: bool
    stored_until: datetime | None = None
    """Until when the blob store keeps the receipt and the memories that it names, at least. Null: as long as this
    service keeps its records. Left out when it is not known.
    """


class AnchorOnChainReply(Model):
    tx_digest: str
    """Digest of the transaction."""
    receipt_id: str
    """Object id of the minted Receipt, 0x and hex."""
    all_authorized: bool
    """Whether every claimed namespace was authorized on the ledger."""
    explorer_url: str
    """A page that shows the transaction."""
    verify_path: str
    """/verify/<receiptId>"""
    store_blob: str
    """Blob id of the stored receipt."""
    digest_hex: str
    """blake2b256, hex."""
    stored_until: datetime | None = None
    """Until when the blob store keeps the receipt and the memories that it names, at least. Null: as long as this
    service keeps its records. Left out when it is not known.
    """


class FoundAnchorsAnchor(Model):
    kind: Literal["ledger", "blob"]
    """ledger: an object on the ledger. blob: the receipt's blob itself."""
    receipt_id: str | None = None
    """The object on the ledger."""
    tx_digest: str | None = None
    all_authorized: bool | None = None
    """Whether the ledger authorized every claim."""
    blob_id: str
    digest: str
    """blake2b256 of the blob's bytes, hex."""
    sealed: bool
    """Whether its private fields were anchored as commitments alone."""
    issued: bool
    """Whether this service issued the receipt, word for word."""
    anchored_at: datetime


class FoundAnchors(Model):
    anchors: list[FoundAnchorsAnchor]
    """Those on the ledger first, then blobs; each oldest first, and the first 20."""
    more: bool
    """Whether there are others."""


class VerificationCheckCompared(Model):
    expected: str
    actual: str


class VerificationCheck(Model):
    name: Literal[
        "object",
        "identity",
        "gate",
        "closing",
        "blob",
        "digest",
        "receipt",
        "evidence",
        "opening",
        "statements",
        "agent",
        "policy",
        "claims",
        "time",
        "stored",
        "signature",
        "memory",
        "log",
        "id",
        "trust",
    ]
    index: int | None = None
    """For a used memory: its place in the receipt, from 0."""
    status: Literal["pass", "fail", "unknown"]
    code: Literal[
        "object-missing",
        "object-other-id",
        "object-other-type",
        "object-not-frozen",
        "object-malformed",
        "not-anchored",
        "ledger-unreachable",
        "id-not-derived",
        "object-bytes-differ",
        "object-digest-differs",
        "needs-object",
        "object-bytes-absent",
        "gate-missing",
        "gate-other-id",
        "gate-other-type",
        "gate-not-shared",
        "gate-malformed",
        "gate-bytes-differ",
        "gate-unreachable",
        "gate-bytes-absent",
        "gate-behind",
        "closing-malformed",
        "closing-differs",
        "needs-gate",
        "closing-unreachable",
        "closing-missing",
        "closing-bytes-absent",
        "closing-behind",
        "blob-missing",
        "blob-unreachable",
        "digest-differs",
        "needs-blob",
        "receipt-malformed",
        "evidence-malformed",
        "needs-receipt",
        "evidence-absent",
        "template-unknown",
        "opening-malformed",
        "opening-too-large",
        "opening-other-field",
        "opening-differs",
        "opening-value-malformed",
        "opening-blob-differs",
        "opening-name-differs",
        "sealed",
        "namespace-blocked",
        "not-authorized",
        "blocked-twice",
        "blocked-unordered",
        "memory-twice",
        "memory-contradicted",
        "agent-differs",
        "agent-pseudonym",
        "policy-differs",
        "policy-superseded",
        "policy-unstated",
        "policy-own",
        "policy-holder-unknown",
        "claims-unordered",
        "claims-refused",
        "used-not-claimed",
        "claimed-blocked",
        "claims-pseudonyms",
        "nothing-claimed",
        "answered-after-anchor",
        "closed-after-anchor",
        "time-unclear",
        "answered-before-ledger",
        "not-verified",
        "not-intact",
        "signature-malformed",
        "key-not-on-gate",
        "key-ended",
        "signature-wrong",
        "signature-absent",
        "keys-unknown",
        "key-ended-unanchored",
        "key-later",
        "tombstone-after-key",
        "memory-forgotten-before",
        "memory-other-id",
        "memory-malformed",
        "memory-digest-differs",
        "memory-differs",
        "memory-given-too-much",
        "memory-given-in-part",
        "memory-unreachable",
        "memory-missing",
        "tombstone-malformed",
        "tombstone-not-signed",
        "tombstone-key-ended",
        "tombstone-later",
        "memory-forgotten",
        "log-malformed",
        "log-checkpoint-wrong",
        "log-cosignature-wrong",
        "log-forked",
        "log-entry-differs",
        "log-opened-differs",
        "log-key-differs",
        "log-key-later",
        "log-dated-differs",
        "log-key-ended",
        "log-not-included",
        "log-promise-broken",
        "log-late",
        "log-checkpoint-early",
        "log-anchor-wrong",
        "log-anchor-differs",
        "log-absent",
        "log-entry-absent",
        "log-anchor-absent",
        "log-other-origin",
        "log-untrusted",
        "log-not-witnessed",
        "id-differs",
        "id-unknown",
        "trusted-package-differs",
        "trusted-gate-differs",
        "trusted-key-differs",
    ] | None = None
    """Why it did not pass. Absent if it did."""
    sentence: str
    compared: VerificationCheckCompared | None = None


class VerificationSealed(Model):
    """Present when the receipt was anchored sealed."""

    receipt: object
    """The sealed form with its signature, as it was anchored."""
    fields_: int
    """How many private fields it has."""
    disclosed: dict[str, object]
    """What the opening of the request disclosed, by path."""


class VerificationChain(Model):
    gate: str
    agent: str
    blob_id: str
    digest: str
    claimed: list[str]
    all_authorized: bool
    policy_version: str
    """The version of the policy that the claims were judged by."""
    closed_at_ms: int
    """When that version was closed."""
    superseded_at_ms: int | None = None
    """When the next version was closed. Absent when there was none at the time of the anchor."""
    anchored_at_ms: int


class Verification(Model):
    receipt_id: str
    network: str
    verdict: Literal["verified", "failed", "unknown"]
    """`verified` only when every check passes."""
    checks: list[VerificationCheck]
    receipt: object
    """The anchored receipt; null when its bytes are not what was anchored, and when it is sealed."""
    sealed: VerificationSealed | None = None
    """Present when the receipt was anchored sealed."""
    has_pseudonyms: bool | None = None
    """Whether agents and namespaces are pseudonyms on the ledger."""
    chain: VerificationChain | None
    """What the ledger says; null when there is no receipt of ours."""
    tx_digest: str | None = None
    explorer_url: str | None = None


class OpeningDocumentName(RequestModel):
    name: str
    salt: str


class OpeningDocument(RequestModel):
    v: Literal[2]
    seed: str | None = None
    salts: dict[str, str] | None = None
    values: dict[str, object] | None = None
    blobs: Sequence[str] | None = None
    names: Sequence[OpeningDocumentName] | None = None


class Ledger(Model):
    network: str
    package_id: str
    """The package whose receipts are ours."""
    names: Literal["plain", "pseudonyms"] | None = None
    """What agents and namespaces are called there. Absent when the ledger does not answer."""
    url: str | None = None
    """URL of a full node; absent for the local ledger."""


class TrustRootKey(Model):
    key_id: str
    public_key: str
    """Ed25519, 32 bytes, hex."""
    created_at: datetime
    ended_at: datetime | None = None
    """What is anchored later is not signed by it. Absent while it signs."""


class TrustRoot(Model):
    network: str
    """`local`, or the network's name."""
    package_id: str
    """The package whose receipts are ours."""
    gate_id: str
    """The policy object of the tenant `default` on the ledger. It judges claims, and names the keys. Those of other
    tenants are of the same package.
    """
    signer: str
    """The address that anchors."""
    keys: list[TrustRootKey]
    """The keys that sign receipts, oldest first."""
    log_key: str
    """The name and the key of the transparency log (C2SP signed-note)."""


class LedgerObject(Model):
    object_id: str
    version: str
    digest: str
    owner: object
    type: str
    previous_transaction: str
    fields_: object
    """Decoded: bytes in hex, numbers of 64 bits as strings."""
    content: str
    """BCS, base64."""
    bcs: str
    """BCS, base64."""


class LedgerTransactionStatus(Model):
    success: bool
    error: object


class LedgerTransactionCall(Model):
    function: str
    arguments: dict[str, object]


class LedgerTransactionEvent(Model):
    name: str
    fields_: object
    """Decoded: bytes in hex, numbers of 64 bits as strings."""
    bcs: str
    """BCS, base64."""


class LedgerTransactionChangedObject(Model):
    object_id: str
    type: str
    change: Literal["created", "changed", "deleted"]
    version: str


class LedgerTransaction(Model):
    sequence: int
    digest: str
    sender: str
    timestamp_ms: int
    status: LedgerTransactionStatus
    functions: dict[str, int]
    """The functions that it calls, with the number of calls."""
    calls: list[LedgerTransactionCall]
    events: list[LedgerTransactionEvent]
    changed_objects: list[LedgerTransactionChangedObject]
    signatures: list[str]
    bcs: str
    """BCS, base64."""
    effects: str
    """Its effects: BCS, base64."""


class LedgerEntry(Model):
    sequence: int
    digest: str
    sender: str
    timestamp_ms: int
    status: LedgerTransactionStatus
    functions: dict[str, int]
    """The functions that it calls, with the number of calls."""


class LedgerTransactionsReply(Model):
    transactions: list[LedgerEntry]
    next_cursor: str | None = None
    """Absent on the last page."""


class OverviewMemoriesByNamespace(Model):
    namespace: str
    count: int


class OverviewMemoriesBySourceAgent(Model):
    source_agent: str
    count: int


class OverviewMemories(Model):
    total: int
    namespaces: int
    """How many namespaces have memories."""
    by_namespace: list[OverviewMemoriesByNamespace]
    """The 1,000 namespaces with most memories, in order of names."""
    source_agents: int
    """How many agents captured memories."""
    by_source_agent: list[OverviewMemoriesBySourceAgent]
    """The 1,000 agents that captured most memories, in order of names."""


class OverviewAnswersByHour(Model):
    hour: datetime
    """The beginning of the hour, UTC."""
    count: int


class OverviewAnswers(Model):
    """Of the last 24 hours."""

    total: int
    """Answers whose receipt was issued."""
    begun: int
    """Answers that are being made now; counted up to 10,000."""
    broken_off: int
    """Answers that did not reach their caller whole. The receipts of some were issued."""
    by_hour: list[OverviewAnswersByHour]
    """24 hours, oldest first; the last is the current one."""
    used: int
    """Used memories. Each was fetched from the blob store."""
    verified: int
    intact: int


class OverviewAnchors(Model):
    blobs: int
    on_ledger: int
    pending: int


class Overview(Model):
    memories: OverviewMemories
    agents: list[str]
    """Agents that the policy names or that captured a memory, the first 1,000."""
    answers: OverviewAnswers
    """Of the last 24 hours."""
    anchors: OverviewAnchors
    policy_version: int
    is_demo: bool
    """Whether it holds the demo and nothing else, and may be reset: a reset takes nothing of one’s own."""


class ReportsPreventedWeek(Model):
    week: str
    """Its Monday, UTC."""
    agent_id: str
    answers: int
    refused: int


class ReportsPrevented(Model):
    """Answers, and calls that were refused."""

    answers: int
    """Complete answers and recalls in the decision log."""
    refused: int
    """Calls that an agent made and may not make."""
    weeks: list[ReportsPreventedWeek]
    """By week, newest first, and agent."""
    left_out: int
    """How many rows of `weeks` were left out."""
    since: datetime | None = None
    """When the log of this time is too long: what is older than this was not looked at."""


class ReportsLedger(Model):
    """The share of answers on the ledger."""

    answers: int
    """Complete answers and recalls, with those whose receipt was pruned."""
    on_ledger: int
    """Those whose receipt is on the ledger."""
    is_complete: bool
    """False: there is more than a report looks at, and the count ends there."""


class ReportsRevokes(Model):
    """Milliseconds from the arrival of a revoke until it was in force, when it is acknowledged."""

    count: int
    """Calls that closed a gate, also one that was closed already."""
    median_ms: int | None = None
    p95_ms: int | None = None
    max_ms: int | None = None
    is_complete: bool
    """False: there is more than a report looks at, and the count ends there."""


class ReportsGatesGate(Model):
    agent_id: str
    namespace: str


class ReportsGates(Model):
    """Gates that stand open and were never used, whatever the time."""

    open: int
    """Gates that stand open now."""
    never_used: int
    """Those through which no answer and no recall was ever given a memory."""
    gates: list[ReportsGatesGate]
    """The first 200 of them."""
    is_complete: bool
    """False: there is more than a report looks at, and the count ends there."""


class Reports(Model):
    from_: datetime
    """The beginning of an hour, UTC."""
    to: datetime
    """Exclusive; the end of an hour."""
    prevented: ReportsPrevented
    """Answers, and calls that were refused."""
    ledger: ReportsLedger
    """The share of answers on the ledger."""
    revokes: ReportsRevokes
    """Milliseconds from the arrival of a revoke until it was in force, when it is acknowledged."""
    gates: ReportsGates
    """Gates that stand open and were never used, whatever the time."""


class ServiceBlobs(Model):
    kind: Literal["memory", "walrus"]
    """memory: the mock store, which proves nothing."""
    aggregator: str
    """Anyone can GET <aggregator>/v1/blobs/<blobId>; empty: this service itself."""


class ServiceModel(Model):
    kind: Literal["extractive", "openai-compatible"]
    """extractive: the built-in one."""
    name: str


class ServiceLedger(Model):
    network: str
    """`local`, or the network's name."""
    url: str | None = None
    """URL of a full node; absent for the local ledger."""


class Service(Model):
    version: str
    blobs: ServiceBlobs
    model: ServiceModel
    ledger: ServiceLedger
    records: Literal["sqlite", "postgres"]
    seed: Literal["demo", "none"]
    """What a new database begins with."""
    recall_limit: int
    """How many memories a recall gives at most."""
    encryption: Literal["ready", "no-key", "other-key"]
    """Whether namespaces can be encrypted. no-key: ENCRYPTION_KEY is not set. other-key: it is not the key that the
    database was encrypted with. Then encrypted namespaces are blocked for everybody.
    """


class ResetDemoReply(Model):
    ok: bool


class DecisionDetailsFilters(Model):
    """What a recall or an answer was narrowed by."""

    namespace_prefix: str | None = None
    source_agent: str | None = None
    occurred_from: str | None = None
    occurred_to: str | None = None
    metadata: list[str] | None = None
    """The names. The receipt commits to the values."""
    as_of: str | None = None
    min_relevance: float | None = None
    """How much it bears on the question. Comparable between questions, whatever other memories there are: see
    docs/gate.md.
    """


class DecisionDetails(Model):
    """What was done, where the route does not say it."""

    allowed: bool | None = None
    """Of a change of the policy: whether the gate was opened. Null: its rule was removed."""
    cause: str | None = None
    """Of a forgetting."""
    memories: int | None = None
    """How many memories a forgetting was of."""
    blob_id: str | None = None
    """Of an anchor."""
    receipt_id: str | None = None
    """Of an anchor on the ledger."""
    tx_digest: str | None = None
    """Of an anchor on the ledger."""
    proposal_id: str | None = None
    """Of a proposal that was accepted or declined."""
    derived_from: list[int] | None = None
    """The places of the messages that an accepted one is from."""
    filters: DecisionDetailsFilters | None = None
    """What a recall or an answer was narrowed by."""


class Decision(Model):
    id: str
    """A position in the log."""
    sequence: int | None = None
    """Not for agents: it counts the decisions about all of them."""
    at: datetime
    principal_id: str
    """The caller: a key, or the subject of a token."""
    principal_name: str
    role: Literal["operator", "admin", "namespace-admin", "agent", "auditor", "public", "service"]
    """service: nobody called, as when a memory expires."""
    agent_id: str | None = None
    """In whose name it was asked, or whose row of the policy changed."""
    route: str
    """The operation's id in openapi.json, or `blob` for a blob in mock mode, or `expiry`."""
    policy_version: int
    allowed_namespaces: list[str] | None = None
    """Of the agent at that moment; the first 1,000."""
    allowed_count: int | None = None
    blocked_namespaces: list[str] | None = None
    """Of the agent at that moment; the first 1,000."""
    blocked_count: int | None = None
    outcome: Literal["answered", "given", "captured", "changed", "anchored", "refused", "failed", "broken-off"]
    """given: memories were listed or read. changed: the policy, a pin, a key, or all records by a reset. broken-off:
    an answer was begun, and did not reach its end.
    """
    answer_id: str | None = None
    memory_id: str | None = None
    kind: Literal["answer", "read", "capture", "policy", "forgetting", "anchor", "setting", "refusal", "failure"]
    """What a decision is about, by its outcome and its route. answer: complete or broken off. read: memories were
    listed or read. setting: pins, keys, settings of namespaces, a reset, an import.
    """
    namespace: str | None = None
    """What a change, a capture or a forgetting is about."""
    details: DecisionDetails | None = None
    """What was done, where the route does not say it."""
    request_id: str | None = None
    """As in the header `x-request-id` of the reply, and in its problem."""


class ListDecisionsReply(Model):
    decisions: list[Decision]
    next_cursor: str | None = None
    """Absent on the last page. A page with filters may be short, even empty, and not the last."""


class FeedEventData(Model):
    """Ids and names, and no text."""

    at: datetime | None = None
    version: int | None = None
    """Of the policy; for admins and auditors."""
    agent_id: str | None = None
    namespace: str | None = None
    """Left out by a reset of the service, which concerns all."""
    allowed: bool | None = None
    memory_id: str | None = None
    proposal_id: str | None = None
    source_agent: str | None = None
    cause: str | None = None
    """Why a memory was forgotten."""
    superseded_by: str | None = None
    answer_id: str | None = None
    blob_id: str | None = None
    receipt_id: str | None = None
    tx_digest: str | None = None


class FeedEvent(Model):
    id: str
    """Goes on after this event, as `Last-Event-ID`. For agents it tells nothing else."""
    event: Literal[
        "policy-changed",
        "memory-captured",
        "memory-forgotten",
        "memory-superseded",
        "proposal-waiting",
        "proposal-accepted",
        "proposal-declined",
        "receipt-begun",
        "receipt-issued",
        "receipt-broken-off",
        "receipt-anchored",
        "reset",
    ]
    """reset: events may have been missed, so load again what you show."""
    data: FeedEventData


class Webhook(Model):
    webhook_id: str
    url: str
    kinds: list[Literal["policy-changed", "memory-captured", "memory-forgotten", "memory-superseded", "proposal-waiting", "proposal-accepted", "proposal-declined", "receipt-begun", "receipt-issued", "receipt-broken-off", "receipt-anchored"]]
    """Which events. Empty: all."""
    created_at: datetime
    created_by: str
    failures: int
    """Deliveries that failed since the last that did not."""
    next_at: datetime
    """When the next one may be."""
    ended_at: datetime | None = None
    """Nothing is sent any more, since the key that made it ended."""


class ListWebhooksReply(Model):
    webhooks: list[Webhook]


class CreateWebhookReply(Model):
    webhook: Webhook
    secret: str
    """What verifies the signatures: `whsec_` and base64."""


class RemoveWebhookReply(Model):
    webhook_id: str


class WebhookDelivery(Model):
    number: int
    message_id: str
    """The header `webhook-id`: the same when it is sent again."""
    kind: Literal[
        "policy-changed",
        "memory-captured",
        "memory-forgotten",
        "memory-superseded",
        "proposal-waiting",
        "proposal-accepted",
        "proposal-declined",
        "receipt-begun",
        "receipt-issued",
        "receipt-broken-off",
        "receipt-anchored",
        "reset",
    ]
    at: datetime
    attempt: int
    status: int | None = None
    """Of the reply, if there was one."""
    error: str | None = None
    """Why it counts as failed."""


class ListDeliveriesReply(Model):
    deliveries: list[WebhookDelivery]
    next_cursor: str | None = None
    """Absent on the last page."""


class ImportProgressOutcome(Model):
    added: dict[str, int]
    """How many records of each kind are on record now that were not."""
    policy: Literal["set", "same", "kept"]
    """kept: the policy here differs from the exported one, and stays as it is."""
    left_out: dict[str, int]
    """Records that were not imported, by kind: anchors on another ledger, of a blob that is not on record, or of one
    that has twenty.
    """


class ImportProgressPlan(Model):
    """In a dry run: the export is in order. Nothing was recorded."""

    records: dict[str, int]
    """How many records of each kind the export holds."""
    new_memories: int
    """How many of its memories are not on record."""


class ImportProgress(Model):
    """How far it is, repeatedly, and at last `outcome`, `plan` or `problem`."""

    done: int | None = None
    of: int | None = None
    outcome: ImportProgressOutcome | None = None
    plan: ImportProgressPlan | None = None
    """In a dry run: the export is in order. Nothing was recorded."""
    problem: Problem | None = None


class ApiKey(Model):
    key_id: str
    name: str
    role: str
    captures: list[str]
    created_at: datetime
    created_by: str
    """The name of the caller."""
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None
    """To the minute."""
    previous_ends_at: datetime | None = None
    """Until when the secret before the last rotation is valid."""


class ListKeysReply(Model):
    keys: list[ApiKey]
    next_cursor: str | None = None
    """Absent on the last page."""


class CreateKeyReply(Model):
    key: str
    """The key itself. It is shown this once."""
    record: ApiKey


class RotateKeyReply(Model):
    key: str
    """The key itself. It is shown this once."""
    record: ApiKey


class RevokeKeyReply(Model):
    record: ApiKey


class Quotas(Model):
    memories: int | None = None
    text_bytes: int | None = None
    namespaces: int | None = None
    policy_rules: int | None = None
    receipts: int | None = None
    answers_per_minute: int | None = None
    writes_per_minute: int | None = None


class TenantDeletionRemoved(Model):
    memories: int
    """Superseded ones included."""
    receipts: int
    """Those of answers that were broken off included."""
    namespaces: int
    keys: int


class TenantDeletion(Model):
    """Since its beginning nobody may act in the tenant. The id is not given again."""

    started_at: datetime
    ended_at: datetime | None = None
    """Left out while it goes on."""
    removed: TenantDeletionRemoved
    remaining: int
    """Memories and receipts that are yet to be removed, about."""


class Tenant(Model):
    id: str
    """The tenant's id."""
    created_at: datetime | None = None
    """Left out for the tenant `default`, which is always there."""
    suspended_at: datetime | None = None
    """Since then nobody may act in it."""
    quotas: Quotas | None = None
    """Its own, in place of the defaults."""
    deletion: TenantDeletion | None = None
    """Since its beginning nobody may act in the tenant. The id is not given again."""


class ListTenantsReply(Model):
    tenants: list[Tenant]
    next_cursor: str | None = None
    """Absent on the last page."""


class CreateTenantReply(Model):
    tenant: Tenant


class TenantTemplateRule(Model):
    agent_id: str
    """The agent's id. Exact and case-sensitive, NFC, no control characters."""
    namespace: str
    """The memory's category. Exact and case-sensitive, NFC, no control characters."""
    allowed: bool | None
    """Null removes the rule. Then the namespace is closed, as if nobody had opened it."""


class TenantTemplateNamespace(Model):
    name: str
    """The memory's category. Exact and case-sensitive, NFC, no control characters."""
    description: str | None = None
    """What it is for, for people."""
    retention_seconds: int | None = None
    """How long memories are kept that do not say it themselves; for those captured from then on."""


class TenantTemplate(Model):
    name: str
    """The template's name."""
    rules: list[TenantTemplateRule] | None = None
    """Rules of the policy."""
    namespaces: list[TenantTemplateNamespace] | None = None
    """Namespaces and their settings."""
    quotas: Quotas | None = None


class TemplateProgress(Model):
    tenants: int
    """Those that were made from it."""
    done: int
    """Those that have its newest version."""


class ApplyTemplateReply(Model):
    template: TenantTemplate
    progress: TemplateProgress


class PutTenantReply(Model):
    tenant: Tenant


class TenantUsage(Model):
    memories: int
    text_bytes: int
    namespaces: int
    policy_rules: int
    receipts: int


class TenantTombstone(Model):
    tenant_id: str
    """The tenant's id."""
    started_at: datetime
    ended_at: datetime
    memories: int
    """Superseded ones included."""
    receipts: int
    """Those of answers that were broken off included."""
    namespaces: int
    keys: int
    signature: Signature


class GetTenantReply(Model):
    tenant: Tenant
    usage: TenantUsage
    limits: Quotas
    """Left out: the default, or any number."""
    tombstone: TenantTombstone | None = None
    """What stays of a tenant that was deleted."""


class UpdateTenantQuotas(RequestModel):
    """Those that change. Null goes back to the default."""

    memories: int | None = None
    text_bytes: int | None = None
    namespaces: int | None = None
    policy_rules: int | None = None
    receipts: int | None = None
    answers_per_minute: int | None = None
    writes_per_minute: int | None = None


class UpdateTenantReply(Model):
    tenant: Tenant


class DeleteTenantReply(Model):
    tenant: Tenant


class ListTemplatesReply(Model):
    templates: list[str]


class GetTemplateReply(Model):
    template: TenantTemplate
    progress: TemplateProgress


class PutTemplateNamespace(RequestModel):
    name: str
    """The memory's category. Exact and case-sensitive, NFC, no control characters."""
    description: str | None = None
    """What it is for, for people."""
    retention_seconds: int | None = None
    """How long memories are kept that do not say it themselves; for those captured from then on."""


class PutTemplateQuotas(RequestModel):
    memories: int | None = None
    text_bytes: int | None = None
    namespaces: int | None = None
    policy_rules: int | None = None
    receipts: int | None = None
    answers_per_minute: int | None = None
    writes_per_minute: int | None = None


class PutTemplateReply(Model):
    template: TenantTemplate
    progress: TemplateProgress


class DeleteTemplateReply(Model):
    pass


class CreateTenantKeyReply(Model):
    key: str
    """The key itself. It is shown this once."""
    record: ApiKey


class Session(Model):
    signed_in: bool
    identities: bool
    """Whether callers have to say who they are. If not, everybody is the admin."""
    name: str
    role: Literal["operator", "admin", "namespace-admin", "agent", "auditor", "public"]
    tenant: str | None = None
    """Where you act. Left out for an operator, and for who is not signed in."""
    agent_id: str | None = None
    """Of an agent."""
    captures: list[str] | None = None
    """The namespaces that an agent may capture into. Left out when an admin acts as the agent: any."""
    namespaces: list[str] | None = None
    """The namespaces that a namespace's admin administers."""
