import { readdirSync } from 'node:fs'
import {
  type BrokenTask,
  type Need,
  noLimits,
  type Overrides,
  onlyStep,
  type PlacedFile,
  type Solution,
  type Task,
} from '../../task.ts'
import { digestFiles } from '../digest-files.ts'
import { needsOfDockerfile } from '../needs/needs-of-dockerfile.ts'
import { parseSettings } from '../parse-settings.ts'
import { staysBelow } from '../setting-parts.ts'
import type { TaskFolder } from '../task-folder.ts'
import { evaluationNeeds, evaluationOf } from './evaluation.ts'
import { metaSchema } from './oneshot-schema.ts'
import { overridesIn } from './overrides.ts'
import { repoSource } from './repo-source.ts'

const meta = 'tb_meta.json'

/** OneShot's launcher documents 1800 s for the agent and gives each test script 60 s. */
const agentSec = 1800
const verifySec = 60

/** A folder with a tb_meta.json, created or prepared. */
export function readOneShot(folder: TaskFolder): Task | BrokenTask {
  const source = folder.readSettings(meta)
  const settings = source === null ? null : parseSettings(metaSchema, source, folder)
  const repo = settings === null ? null : repoSource(settings.repo, meta, folder)
  const evaluation = settings === null ? null : evaluationOf(settings.evaluation, meta, folder)
  const instruction = readInstruction(settings?.lm?.instructions ?? settings?.lm_instructions, folder)
  const overrides = ownOverrides(folder)
  const dockerfile = folder.hasFile('Dockerfile') ? folder.readText('Dockerfile') : null
  const remove = removals(folder)
  const overlays = readOverlays(folder)
  const id = settings?.task_id ?? settings?.id ?? folder.name
  if (settings === null || repo === null || evaluation === null || folder.problems.length > 0)
    return { kind: 'broken', id, format: 'oneshot', dir: folder.dir, problems: folder.problems }
  const needs: readonly Need[] = [
    ...(repo.kind === 'git' ? [{ kind: 'repository' as const, what: repo.url, where: meta }] : []),
    ...(dockerfile === null ? [] : needsOfDockerfile(dockerfile, 'Dockerfile')),
    ...evaluationNeeds(evaluation),
  ]
  return {
    kind: 'task',
    id,
    title: settings.metadata.title || id,
    format: 'oneshot',
    dir: folder.dir,
    tags: settings.metadata.tags ?? [],
    difficulty: null,
    digest: digestFiles(folder.dir, decidesNothing),
    steps: [
      {
        ...onlyStep,
        instruction,
        tests: { kind: 'files', files: evaluation.tests },
        solution: readSolution(folder),
        agentSec,
        verifySec,
      },
    ],
    environment: {
      dockerfile: dockerfile === null ? null : folder.path('Dockerfile'),
      context: dockerfile === null ? null : folder.dir,
      image: null,
      repo,
      overlays,
      remove,
      buildSec: 600,
      env: {},
      workdir: '/app/repo',
      healthcheck: null,
    },
    limits: noLimits,
    rubrics: evaluation.rubrics,
    rewardStrategy: 'mean',
    overrides,
    needs,
    unsupported: [],
    notes: folder.notes,
  }
}

/** The prepared folder's file first, as the container reads it. */
function readInstruction(written: string | null | undefined, folder: TaskFolder): string {
  const file = ['overlay_files/LM_INSTRUCTIONS.md', 'LM_INSTRUCTIONS.md'].find(name => folder.hasFile(name))
  const text = file === undefined ? (written ?? '') : (folder.readText(file) ?? '')
  if (text.trim() === '')
    folder.problems.push(
      `${file ?? meta}: ${file === undefined ? 'lm.instructions: ' : ''}there is no instruction for the agent`,
    )
  return text
}

function ownOverrides(folder: TaskFolder): Overrides | null {
  return folder.hasFile('overrides.json') ? overridesIn('overrides.json', folder) : null
}

/** One per line, as the container reads it. */
function removals(folder: TaskFolder): readonly string[] {
  const file = 'overlay_files/remove_repo_paths.txt'
  if (!folder.hasFile(file)) return []
  const paths = (folder.readText(file) ?? '').split(/\r?\n/).filter(line => line.trim() !== '')
  for (const path of paths.filter(one => !staysBelow(one)))
    folder.problems.push(`${file}: "${path}" leads out of the repository`)
  return paths
}

function readSolution(folder: TaskFolder): Solution | null {
  const file = ['diff.patch', 'overlay_files/diff.patch'].find(name => folder.hasFile(name))
  return file === undefined ? null : { kind: 'patch', patch: { file: folder.path(file) } }
}

/** In OneShot the agent could read the solution and the tests in these; here it can't. */
const hidden = [
  'diff.patch',
  'tb_meta.json',
  'notes.md',
  'repo_info.json',
  'remove_repo_paths.txt',
  '.env',
  'LM_INSTRUCTIONS.md',
]

/**
 * overlay_files/ is copied over /app, one entry at a time because some must not be, and overlay_repo_files/ over the
 * repository.
 */
function readOverlays(folder: TaskFolder): readonly PlacedFile[] {
  const entries = folder.hasFolder('overlay_files')
    ? readdirSync(folder.path('overlay_files'), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    : []
  const files = entries
    .filter(({ name }) => !hidden.includes(name))
    .map((entry): PlacedFile => {
      const path = folder.path('overlay_files', entry.name)
      return { from: entry.isDirectory() ? { folder: path } : { file: path }, to: `/app/${entry.name}` }
    })
  if (!folder.hasFolder('overlay_repo_files')) return files
  if (folder.hasFolder('overlay_repo_files/.git') || folder.hasFile('overlay_repo_files/.git'))
    folder.problems.push('overlay_repo_files/.git: would replace the repository; git runs what lies in it')
  return [...files, { from: { folder: folder.path('overlay_repo_files') }, to: '/app/repo' }]
}

/** Results, traces and secrets next to the task; overrides have their own digest. */
const decidesNothing = (path: string): boolean =>
  /^(?:evaluation_results|trace|codex-files)(?:\/|$)|^(?:\.env|overrides\.json|notes\.md|repo_info\.json|mitmproxy-ca-cert\.pem|readme\b.*)$|^overlay_files\/(?:\.env|notes\.md|repo_info\.json)$/i.test(
    path,
  )
