# Generated from openapi.json by `npm run openapi`. Change the contract, not this file.
"""The problems that a service answers with, by their codes."""

from .errors import ProblemError


class AlreadyCreatedError(ProblemError):
    """This request created its key already."""


class AlreadyDecidedError(ProblemError):
    """The proposal was decided."""


class BlobStoreFailedError(ProblemError):
    """The blob store failed."""


class BodyTooLargeError(ProblemError):
    """The body is too large."""


class CannotBeSealedError(ProblemError):
    """The receipt cannot be anchored sealed."""


class ConfusableNameError(ProblemError):
    """The name looks like another one."""


class CrossOriginError(ProblemError):
    """The request comes from another site."""


class EncryptionKeyMissingError(ProblemError):
    """The key of encrypted namespaces is missing."""


class ExportDamagedError(ProblemError):
    """The export is damaged."""


class ExportIncompleteError(ProblemError):
    """The export is not complete."""


class ExportKeyUnknownError(ProblemError):
    """The export was signed with an unknown key."""


class ExportNotImportableError(ProblemError):
    """The export cannot be imported here."""


class ForbiddenError(ProblemError):
    """Not allowed."""


class ForbiddenHostError(ProblemError):
    """This host is not served."""


class IdempotencyKeyReusedError(ProblemError):
    """The Idempotency-Key belongs to another request."""


class InProgressError(ProblemError):
    """A request with this Idempotency-Key is in progress."""


class InsecureTransportError(ProblemError):
    """The connection is not encrypted."""


class InternalError(ProblemError):
    """Internal error."""


class InvalidRequestError(ProblemError):
    """The request is not valid."""


class IssuerUnavailableError(ProblemError):
    """The identity provider is not available."""


class LedgerNoGasError(ProblemError):
    """Not enough gas for the ledger."""


class LedgerRefusedError(ProblemError):
    """The ledger refused the transaction."""


class LedgerTimeoutError(ProblemError):
    """The ledger did not answer in time."""


class LedgerUnavailableError(ProblemError):
    """The ledger is not available."""


class LimitReachedError(ProblemError):
    """A limit is reached."""


class MalformedHttpError(ProblemError):
    """The HTTP request is not well-formed."""


class MalformedJsonError(ProblemError):
    """The body is not JSON."""


class MemoryForgottenError(ProblemError):
    """A memory of the receipt was forgotten."""


class ModelFailedError(ProblemError):
    """The language model failed."""


class ModelTimeoutError(ProblemError):
    """The language model did not answer in time."""


class ModelUnavailableError(ProblemError):
    """The language model is not available."""


class NestingTooDeepError(ProblemError):
    """The body is nested too deeply."""


class NotFoundError(ProblemError):
    """Not found."""


class NotInLogError(ProblemError):
    """The receipt is not in the log."""


class OverloadedError(ProblemError):
    """The service is overloaded."""


class PolicyChangedError(ProblemError):
    """The policy changed."""


class PromptTooLongError(ProblemError):
    """The prompt is too long for the language model."""


class ReceiptIncompleteError(ProblemError):
    """The receipt is not complete."""


class ReceiptNotOnRecordError(ProblemError):
    """The receipt is not on record any more."""


class RecordsUnavailableError(ProblemError):
    """The database is not available."""


class SigningKeyEndedError(ProblemError):
    """The key that signed the receipt has ended."""


class StorageFullError(ProblemError):
    """The disk is full."""


class StorageLostError(ProblemError):
    """The database file is gone."""


class TenantDeletedError(ProblemError):
    """The tenant was deleted."""


class TenantExistsError(ProblemError):
    """There is a tenant of this id already."""


class TooManyListenersError(ProblemError):
    """Too many listeners."""


class TooManyPinnedError(ProblemError):
    """Too many memories are pinned."""


class TooManyRequestsError(ProblemError):
    """Too many requests."""


class UnauthenticatedError(ProblemError):
    """Authentication required."""


class UnsupportedMediaTypeError(ProblemError):
    """The body has the wrong media type."""


class VerifierBusyError(ProblemError):
    """The verifier is busy."""


class VersionNotOnLedgerError(ProblemError):
    """The version of the policy is not on the ledger."""


BY_CODE: dict[str, type[ProblemError]] = {
    "already-created": AlreadyCreatedError,
    "already-decided": AlreadyDecidedError,
    "blob-store-failed": BlobStoreFailedError,
    "body-too-large": BodyTooLargeError,
    "cannot-be-sealed": CannotBeSealedError,
    "confusable-name": ConfusableNameError,
    "cross-origin": CrossOriginError,
    "encryption-key-missing": EncryptionKeyMissingError,
    "export-damaged": ExportDamagedError,
    "export-incomplete": ExportIncompleteError,
    "export-key-unknown": ExportKeyUnknownError,
    "export-not-importable": ExportNotImportableError,
    "forbidden": ForbiddenError,
    "forbidden-host": ForbiddenHostError,
    "idempotency-key-reused": IdempotencyKeyReusedError,
    "in-progress": InProgressError,
    "insecure-transport": InsecureTransportError,
    "internal": InternalError,
    "invalid-request": InvalidRequestError,
    "issuer-unavailable": IssuerUnavailableError,
    "ledger-no-gas": LedgerNoGasError,
    "ledger-refused": LedgerRefusedError,
    "ledger-timeout": LedgerTimeoutError,
    "ledger-unavailable": LedgerUnavailableError,
    "limit-reached": LimitReachedError,
    "malformed-http": MalformedHttpError,
    "malformed-json": MalformedJsonError,
    "memory-forgotten": MemoryForgottenError,
    "model-failed": ModelFailedError,
    "model-timeout": ModelTimeoutError,
    "model-unavailable": ModelUnavailableError,
    "nesting-too-deep": NestingTooDeepError,
    "not-found": NotFoundError,
    "not-in-log": NotInLogError,
    "overloaded": OverloadedError,
    "policy-changed": PolicyChangedError,
    "prompt-too-long": PromptTooLongError,
    "receipt-incomplete": ReceiptIncompleteError,
    "receipt-not-on-record": ReceiptNotOnRecordError,
    "records-unavailable": RecordsUnavailableError,
    "signing-key-ended": SigningKeyEndedError,
    "storage-full": StorageFullError,
    "storage-lost": StorageLostError,
    "tenant-deleted": TenantDeletedError,
    "tenant-exists": TenantExistsError,
    "too-many-listeners": TooManyListenersError,
    "too-many-pinned": TooManyPinnedError,
    "too-many-requests": TooManyRequestsError,
    "unauthenticated": UnauthenticatedError,
    "unsupported-media-type": UnsupportedMediaTypeError,
    "verifier-busy": VerifierBusyError,
    "version-not-on-ledger": VersionNotOnLedgerError,
}
