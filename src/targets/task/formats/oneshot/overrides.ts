import { basename, dirname } from 'node:path'
import { AssayError } from '../../../../util/errors.ts'
import { sha256OfJson } from '../../../../util/hash.ts'
import type { Overrides } from '../../task.ts'
import { parseStrictly } from '../parse-settings.ts'
import { TaskFolder } from '../task-folder.ts'
import { evaluationOf } from './evaluation.ts'
import { type EvaluationSettings, overridesSchema } from './oneshot-schema.ts'
import { repoSource } from './repo-source.ts'

/** An overrides file that an experiment names; throws one error with all that is wrong in it. */
export function readOverrides(file: string): Overrides {
  const folder = new TaskFolder(dirname(file))
  const overrides = overridesIn(basename(file), folder)
  if (overrides !== null && folder.problems.length === 0) return overrides
  throw new AssayError('config', folder.problems.join('\n'), { facts: { file } })
}

/** The overrides of a folder, or null and problems: a misspelt key would silently change nothing. */
export function overridesIn(file: string, folder: TaskFolder): Overrides | null {
  const source = folder.readSettings(file)
  const written = source === null ? null : parseStrictly(overridesSchema, source, folder)
  if (source === null || written === null) return null
  // The task's own problems stay with the task.
  const own = new TaskFolder(folder.dir)
  const evaluation = written.evaluation ?? topLevel(written)
  const repo = written.repo === undefined ? null : repoSource(written.repo, file, own)
  const notes = own.notes
  const result: Overrides = {
    instruction: written.prompt ?? written.lm_instructions ?? injected(written.inject_files, 'LM_INSTRUCTIONS.md'),
    overlayFiles: { ...written.overlay_files, ...injectedBelow(written.inject_files, 'overlay_files/') },
    overlayRepoFiles: { ...written.overlay_repo_files, ...injectedElsewhere(written.inject_files) },
    removeRepoPaths: written.remove_repo_paths,
    evaluation: evaluation === null ? null : evaluationOf(evaluation, file, own),
    repo,
    settings: {
      model: written.openai.model ?? null,
      provider: written.model_provider ?? written.openai.provider ?? null,
      baseUrl: written.openai.base_url ?? null,
      env: written.environment_variables,
    },
    digest: sha256OfJson(withoutKey(source.value)),
    notes,
  }
  if (written.openai.api_key !== undefined)
    notes.push(`${file}: openai.api_key: is not used; set OPENAI_API_KEY in the environment, or in .env`)
  folder.problems.push(...own.problems)
  return own.problems.length === 0 ? result : null
}

type Injected = readonly { readonly path: string; readonly content: string }[]

/** Without `evaluation`, rubrics and tests may be at the top level. */
function topLevel({ rubrics, test_scripts }: EvaluationSettings): EvaluationSettings | null {
  return rubrics == null && test_scripts == null ? null : { rubrics, test_scripts }
}

const injected = (files: Injected, path: string): string | null =>
  files.find(file => [path, `overlay_files/${path}`].includes(file.path))?.content ?? null

const injectedBelow = (files: Injected, place: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    files.filter(({ path }) => path.startsWith(place)).map(({ path, content }) => [path.slice(place.length), content]),
  )

/** A path of the prepared folder goes where that folder's files go; any other is in the repository. */
function injectedElsewhere(files: Injected): Readonly<Record<string, string>> {
  const others = files.filter(
    ({ path }) => !/^(?:overlay_files\/|overlay_repo_files\/|LM_INSTRUCTIONS\.md$)/.test(path),
  )
  return {
    ...Object.fromEntries(others.map(({ path, content }) => [path, content])),
    ...injectedBelow(files, 'overlay_repo_files/'),
  }
}

/** A key that was changed makes no other run, and must not be guessed from a digest. */
function withoutKey(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, item) => (key === 'api_key' ? undefined : item)))
}
