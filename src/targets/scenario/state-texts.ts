import type { Contents } from '../../define/experiment.ts'
import { resolvePath } from '../../define/read-files.ts'
import type { Problem, WrittenAround } from '../../define/target.ts'
import { readRegular } from '../../util/files.ts'
import { sha256 } from '../../util/hash.ts'
import type { JsonObject } from '../../util/json.ts'

/** Parameters whose text may be in a file: `file:states/flood.md`. */
const stateNames = ['initial_world_state', 'scenario.initial_world_state', 'world_state']

export interface StateTexts {
  readonly [level: string]: string
}

/** The contents of files named by levels of states, and their digests: a changed file makes other runs. */
export function readStateTexts(
  known: StateTexts,
  around: WrittenAround,
): { readonly texts: StateTexts; readonly contents: Contents; readonly problems: readonly Problem[] } {
  const texts: { [level: string]: string } = {}
  const contents: { [name: string]: { [level: string]: string } } = {}
  const problems: Problem[] = []
  for (const name of stateNames)
    for (const level of around.levelsOf(name)) {
      const path = pathIn(level)
      if (path === null) continue
      const text = known[String(level)] ?? readRegular(resolvePath(path, around))?.trim() ?? ''
      if (text === '')
        problems.push({
          path: [around.factors.includes(name) ? 'factors' : 'params', name],
          message: `${name}: there is no file ${path}, or it is empty`,
        })
      texts[String(level)] = text
      contents[name] = { ...contents[name], [String(level)]: sha256(text).slice(0, 16) }
    }
  return { texts, contents, problems }
}

const pathIn = (level: unknown): string | null =>
  typeof level === 'string' ? (/^file:(?:\/\/)?(.+)$/s.exec(level)?.[1] ?? null) : null

/** The parameters with the texts of these files in place of their names. */
export const withStateTexts = (params: JsonObject, texts: StateTexts = {}): JsonObject =>
  Object.fromEntries(
    Object.entries(params).map(([name, level]) => [
      name,
      stateNames.includes(name) && typeof level === 'string' ? (texts[level] ?? level) : level,
    ]),
  )
