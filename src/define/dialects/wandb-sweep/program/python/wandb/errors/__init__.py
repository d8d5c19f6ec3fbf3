"""The errors that programs catch."""


class Error(Exception):
    def __init__(self, message="", context=None):
        super().__init__(message)
        self.message = message
        self.context = context or {}


class CommError(Error):
    def __init__(self, message="", exc=None):
        super().__init__(message)
        self.exc = exc


class AuthenticationError(CommError):
    pass


class UsageError(Error):
    pass


class UnsupportedError(UsageError):
    pass


class WandbCoreNotAvailableError(Error):
    pass


def __getattr__(name):
    """Whatever else a program may catch: it is never raised."""
    if not name.endswith(("Error", "Exception")):
        raise AttributeError(name)
    return type(name, (Error,), {})
