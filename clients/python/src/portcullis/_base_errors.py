"""The errors that the models raise, and the base of all. They know no model."""


class PortcullisError(Exception):
    """The base of all errors of this package."""


class UnexpectedReplyError(PortcullisError):
    """The reply is JSON, and not what the contract says."""
