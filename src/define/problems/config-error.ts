import { AssayError } from '../../util/errors.ts'
import type { Path, Position, Source } from '../source/source.ts'
import type { Problem } from '../target.ts'

/** A problem and where it is, as `facts.problems` of the error holds it. */
export interface LocatedProblem {
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
  readonly path: string
  readonly message: string
  readonly hint: string | null
  /** The command-line option that brought the value in. */
  readonly option: string | null
}

/** A problem of the schema may be about a key rather than its value. */
export type SourceProblem = Problem & { readonly part?: 'key' | 'value' }

/** One error for all the problems of a configuration, a line each, in the order of the file. */
export function configError(source: Source, problems: readonly SourceProblem[]): AssayError {
  return located(problems.map(problem => locate(source, problem)).sort(byPosition))
}

/** A problem as its line of such an error says it. */
export const problemLine = (source: Source, problem: SourceProblem): string => lineOf(locate(source, problem))

/** A problem that is known by its position: malformed text. */
export function syntaxError(file: string, message: string, position: Position | null): AssayError {
  const { line = null, column = null } = position ?? {}
  return located([{ file, line, column, path: '', message, hint: null, option: null }])
}

function located(problems: readonly LocatedProblem[]): AssayError {
  return new AssayError('config', problems.map(lineOf).join('\n'), { facts: { problems } })
}

function locate(source: Source, { path, message, hint, part }: SourceProblem): LocatedProblem {
  const option = source.optionOf(path)
  const position = option === null ? source.positionOf(path, part) : null
  return {
    file: option === null ? source.file : null,
    line: position?.line ?? null,
    column: position?.column ?? null,
    path: pathText(path),
    message,
    hint: hint ?? null,
    option,
  }
}

function lineOf({ file, line, column, path, message, hint, option }: LocatedProblem): string {
  const place = option ?? (line === null ? file : `${file}:${line}:${column}`)
  const said = hint === null ? message : `${message}${separator(message, hint)}${hint}`
  if (option !== null) return `${option}: ${said}`
  const subject = path === '' ? said : `${path}: ${said}`
  return place === null ? subject : `${place}  ${subject}`
}

/** A message of several lines ends with a caret or a list, and a hint may be a sentence of its own. */
function separator(message: string, hint: string): string {
  if (message.includes('\n')) return '\n  '
  return /^\p{Lu}/u.test(hint) ? '. ' : '; '
}

const pathText = (path: Path): string => path.join('.')

const byPosition = (a: LocatedProblem, b: LocatedProblem): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
