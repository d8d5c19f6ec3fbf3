/**
 * What a message says about a failure, without what differs from run to run: `KeyError: 'alpha'` and `KeyError: 'beta'` are
 * both `KeyError`, and every wording of a refused connection is `connection refused`. Failures with the same cause are one
 * way of failing. '' where nothing is left. Of several lines the first counts; see tellingLine for a program's output.
 */
export function failureCause(message: string): string {
  const text = (message.split(/[\r\n]+/).find(line => line.trim() !== '') ?? '').trim().slice(0, mostRead)
  const known = knownCauses.find(([, pattern]) => pattern.test(text))
  return known === undefined ? cut(masked(withoutPrefix(text))) : known[0]
}

/** A hostile line must not cost more than an ordinary one. */
const mostRead = 1000
const longest = 120

/** Causes that every library words in its own way; the first that fits is the answer. */
const knownCauses: readonly (readonly [string, RegExp])[] = [
  ['connection refused', /\bECONNREFUSED\b|connection refused/i],
  ['connection reset', /\bECONNRESET\b|connection (?:was )?reset|socket hang up/i],
  ['host name not found', /\b(?:ENOTFOUND|EAI_AGAIN)\b|name or service not known|could not resolve host/i],
  ['connection timed out', /\b(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)\b|connect(?:ion)?(?: attempt)? timed out/i],
  ['rate limited', /\b(?:HTTP|status|error|code)\W{0,9}429\b|too many requests|rate.?limit.{0,9}(?:exceeded|reached)/i],
  ['out of GPU memory', /\b(?:CUDA|HIP|GPU)\b.{0,40}\bout of memory|CUDA_ERROR_OUT_OF_MEMORY/i],
  ['out of memory', /\bENOMEM\b|out of memory|cannot allocate memory|^MemoryError\b|OutOfMemoryError/i],
  ['disk full', /\bENOSPC\b|no space left on device/i],
  ['too many open files', /\bEMFILE\b|too many open files/i],
  ['permission denied', /\bEACCES\b|permission denied/i],
]

/** Without the time and level of a log line, and without the words that every error of a language begins with. */
function withoutPrefix(text: string): string {
  return text
    .replace(/^[[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?[\d.,]{0,10}(?:Z|[+-]\d\d:?\d\d)?[\])]?\s*/, '')
    .replace(/^(?:[[(]?(?:ERROR|FATAL|CRITICAL|PANIC)\b[\])]?[\s:|-]+)+(?=\S)/i, '')
    .replace(/^(?:Uncaught |Unhandled )?(?:Error|Exception): (?=\S)/, '')
    .replace(/^(?:[a-z_]\w{0,60}\.){1,8}(?=[A-Z]\w{0,60}(?:Error|Exception)\b)/, '')
}

/** Numbers that name a kind of failure stay: exit codes, HTTP statuses, numbers of system errors. */
const codes = /(\b(?:exit code|status|code|errno|HTTP(?:\/[\d.]{1,3})?)[ =:]{0,2}\d{1,3}\b)/i

function masked(text: string): string {
  const parts = text.split(codes).map((part, at) => (at % 2 === 1 ? part : varying.reduce(replaced, part)))
  return parts
    .join('')
    .replace(/…(?:[\s,;:x×/|()[\]{}-]{0,3}…)+/g, '…')
    .replace(/…,(?=\s?[)\]}])/g, '…')
    .replace(/(?:^|\s*[:=])[\s([{'"]*…[\s)\]}'".,]*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** What tells one run from another, in the order in which it is taken out. */
const varying: readonly RegExp[] = [
  // addresses of servers and of objects
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"<>)\]]+/gi,
  /<[^<>]{0,200} at 0x[0-9a-f]+>/gi,
  // a quoted name or value; what has spaces is a sentence
  /(?<![\w'’])['"`‘“][^\s'"`’”]{1,200}['"`’”](?!\w)/g,
  // identifiers
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
  /\b0x[0-9a-f]+\b/gi,
  /\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b/gi,
  // paths with a slash in front, and those that end in a file's name
  /(?<![\w.])(?:[A-Za-z]:)?[.~]{0,2}[\\/][^\s'"`,:;()[\]<>]+(?::\d+){0,2}/g,
  /(?<![\w/\\.@-])[\w.@-]+(?:[\\/][\w.@-]+)+\.\w{1,8}(?::\d+){0,2}/g,
  // numbers and times
  /(?:(?<!\w)[+−-])?\d(?:[\d.,_:]*\d)?(?:e[+-]?\d+)?/gi,
]

const replaced = (text: string, pattern: RegExp): string => text.replace(pattern, '…')

const cut = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest).trimEnd()}…`)

/**
 * The line of a program's output that says why it failed: the last one, or the one before the stack that some languages
 * print after the message. Safe to print; '' where there is none.
 */
export function tellingLine(output: string): string {
  const lines = output.split(/\r?\n/).filter(line => line.trim() !== '')
  const told = lines.findLast((line, at) => !isTrace(line, lines[at + 1] ?? '')) ?? lines.at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach the terminal
  return told.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}

function isTrace(line: string, next: string): boolean {
  return (
    // JavaScript and Java, and the version that Node prints last
    /^\s+at .*(?::\d+:\d+\)?|<anonymous>\)?|\(native\)|:\d+\)|\(Native Method\))$/.test(line) ||
    /^\s+\.\.\. \d+ (?:more|common frames)|^Node\.js v\d/.test(line) ||
    // Rust and Go
    /^note: run with `RUST_BACKTRACE|^goroutine \d+ \[|^\t\S+\.go:\d+|^exit status \d+$/.test(line) ||
    /^\t\S+\.go:\d+/.test(next)
  )
}
