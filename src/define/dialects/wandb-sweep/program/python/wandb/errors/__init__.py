"""The errors that programs catch."""


class Error(Exception):
    pass


class CommError(Error):
    pass


class UsageError(Error):
    pass


class AuthenticationError(CommError):
    pass


WandbCoreNotAvailableError = Error
