import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Block, Factor, MetricSpec } from '../../define/experiment.ts'
import { knownMetrics } from '../../define/observation.ts'
import { resolvePath } from '../../define/read-files.ts'
import type { Completion, Problem, WrittenAround } from '../../define/target.ts'
import { behaviourDigests } from '../../models/names/settings-of.ts'
import { AssayError } from '../../util/errors.ts'
import { sha256OfJson } from '../../util/hash.ts'
import type { Json } from '../../util/json.ts'
import { linearRegExp } from '../../util/linear-regexp.ts'
import { isModule, moduleDigest } from '../agent/strategies/choose-strategy.ts'
import { findProgram } from './agents/find-program.ts'
import { sha256OfFile } from './artifacts.ts'
import { PythonRandom, pythonSlice } from './python.ts'
import { readTasks } from './read-tasks.ts'
import type { TaskSpec } from './spec.ts'
import type { Task } from './task.ts'

/** Codex where this machine has it, as OneShot does; else the built-in agent. */
const defaultAgent = (folder: string): string => (findProgram('codex', folder) === null ? 'assay' : 'codex')

/**
 * Finds the tasks and adds the block `task`, the factor `agent`, and the metrics that show which agent solved what at
 * which cost. The contents of a task's folder, of a file of overrides and of an agent's command belong to the keys of
 * the runs that use them.
 */
export function completeTask(spec: TaskSpec, around: WrittenAround): Completion {
  const problems: Problem[] = []
  const written = around.blocks.find(({ name }) => name === 'task')
  const scored = new Set<string>()
  const adding = { problems, scored, repos: repositoriesOf(spec, around) }
  const all = written === undefined ? listedTasks(spec, around, adding) : writtenTasks(written, around, adding)
  const found = written === undefined ? selectedTasks(all, spec) : all
  if (all.size > 0 && found.size === 0)
    problems.push({
      path: ['target', 'select'],
      message: `none of the ${all.size} tasks is selected`,
      hint: 'the filter must match the beginning of an id; the slice counts what is left after it',
    })
  if (found.size === 0 && problems.length === 0)
    problems.push({
      path: ['target', 'tasks'],
      message: 'no tasks are named',
      hint: 'name folders under target.tasks, or make them a block: blocks: { task: tasks/* }',
    })
  return {
    spec: JSON.parse(JSON.stringify(spec)),
    factors: agentFactor(spec, around),
    blocks: written === undefined && found.size > 0 ? [{ name: 'task', levels: [...found.keys()] }] : [],
    metrics: metricsOf(around.metrics, scored.size > 0 || found.size === 0),
    contents: {
      task: Object.fromEntries(found),
      agent: Object.fromEntries(
        Object.entries(spec.agents ?? {}).map(([name, agent]) => [name, sha256OfJson(plain(agent))]),
      ),
      model: behaviourDigests(around.models),
      overrides: overridesContents(around, problems),
      strategy: strategyContents(around),
    },
    problems,
  }
}

/** Sorted by id, shuffled, filtered and sliced, as in SWE-agent; without `select` all of them as listed. */
function selectedTasks(all: Digests, { select }: TaskSpec): Digests {
  if (select === undefined) return all
  const { shuffle, shuffle_seed, filter, slice = '' } = select
  const sorted = [...all].map(([level, digest]) => ({ level, digest, id: idOf(level) })).sort(byId)
  const ordered = shuffle ? new PythonRandom(shuffle_seed).shuffled(sorted) : sorted
  const wanted = filter === undefined ? null : linearRegExp(`^(?:${filter})`)
  const kept = ordered.filter(({ id }) => wanted?.test(id) ?? true)
  return new Map((pythonSlice(slice)?.(kept) ?? kept).map(({ level, digest }) => [level, digest]))
}

/** The name of a task's folder, or of an instance in a file. */
const idOf = (level: string): string => level.split('#').at(-1)?.split(/[\\/]/).at(-1) ?? level

const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id < other.id ? -1 : one.id > other.id ? 1 : 0

const plain = (value: object): Json => JSON.parse(JSON.stringify(value))

type Digests = ReadonlyMap<string, string>

/** Tasks by pattern, dataset or file, named by their path from the folder of the experiment. */
function listedTasks(spec: TaskSpec, around: WrittenAround, adding: AddingAll): Digests {
  const found = new Map<string, string>()
  const patterns = typeof spec.tasks === 'string' ? [spec.tasks] : (spec.tasks ?? [])
  for (const [at, pattern] of patterns.entries()) {
    const path = ['target', 'tasks', ...(typeof spec.tasks === 'string' ? [] : [at])]
    const { base, paths } = matches(pattern, around)
    if (paths.length === 0)
      adding.problems.push({ path, message: `${pattern} matches nothing`, hint: `looked in ${base}` })
    for (const one of paths)
      addTasks(resolve(base, one), { ...adding, path, named: task => relative(base, task), found })
  }
  return found
}

/** In the experiment's folder, else in the working directory. */
function matches(
  pattern: string,
  { folder, cwd }: WrittenAround,
): { readonly base: string; readonly paths: readonly string[] } {
  for (const base of new Set([folder, cwd])) {
    const paths = globSync(pattern, { cwd: base }).toSorted()
    if (paths.length > 0) return { base, paths }
  }
  return { base: folder, paths: [] }
}

/** Tasks that the experiment lists as levels of a block. */
function writtenTasks({ levels }: Block, around: WrittenAround, adding: AddingAll): Digests {
  const found = new Map<string, string>()
  for (const [at, level] of levels.entries()) {
    const path = ['blocks', 'task', at]
    if (typeof level !== 'string') {
      adding.problems.push({ path, message: 'expected the path of a task', hint: 'name a folder' })
      continue
    }
    const own = new Map<string, string>()
    addTasks(resolvePath(level, around), { ...adding, path, named: () => level, found: own })
    found.set(level, own.get(level) ?? '')
  }
  return found
}

/** The folder with clones, next to the experiment or in the working directory. */
export const repositoriesOf = (
  { repositories }: TaskSpec,
  around: { readonly folder: string; readonly cwd: string },
): string | null => (repositories === undefined ? null : resolvePath(repositories, around))

interface AddingAll {
  readonly repos: string | null
  readonly problems: Problem[]
  /** Tasks whose runs can have a score. */
  readonly scored: Set<string>
}

interface Adding extends AddingAll {
  readonly path: Problem['path']
  readonly found: Map<string, string>
  /** The level of a task in this folder. */
  named(task: string): string
}

function addTasks(place: string, { repos, path, problems, scored, named, found }: Adding): void {
  try {
    for (const task of readTasks(place, { repos })) {
      const level = named(
        task.kind === 'task' && task.format === 'swe-bench' ? `${place.split('#')[0]}#${task.id}` : task.dir,
      )
      if (task.kind === 'broken') problems.push({ path, message: `${level} can't be run: ${task.problems.join('; ')}` })
      else if (found.has(level)) problems.push({ path, message: `${level} is there twice` })
      else {
        found.set(level, task.digest)
        if (isScored(task)) scored.add(level)
      }
    }
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    problems.push({ path, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) })
  }
}

/** Whether anything scores the result. */
const isScored = ({ steps, rubrics }: Task): boolean =>
  rubrics.length > 0 || steps.some(({ tests }) => tests.kind !== 'files' || tests.files.length > 0)

/** The content of an overrides file counts, not its place. */
function overridesContents(around: WrittenAround, problems: Problem[]): Record<string, string> {
  const files = around.levelsOf('overrides').filter(level => typeof level === 'string')
  return Object.fromEntries(
    files.flatMap(file => {
      try {
        return [[file, sha256OfFile(resolvePath(file, around))]]
      } catch {
        problems.push({
          path: ['factors', 'overrides'],
          message: `${file} can't be read`,
          hint: 'name a JSON file with overrides',
        })
        return []
      }
    }),
  )
}

/** A user's own strategy is identified by its module's content; a missing one is refused elsewhere. */
function strategyContents(around: WrittenAround): Record<string, string> {
  const modules = around.levelsOf('strategy').filter(level => typeof level === 'string' && isModule(level))
  return Object.fromEntries(
    modules.flatMap(path => {
      const digest = moduleDigest(String(path), around)
      return digest === null ? [] : [[String(path), digest]]
    }),
  )
}

function agentFactor({ agent }: TaskSpec, around: WrittenAround): readonly Factor[] {
  const isWritten = around.factors.includes('agent') || 'agent' in around.params
  return isWritten ? [] : [{ name: 'agent', levels: [agent ?? defaultAgent(around.folder)], when: null }]
}

function metricsOf(written: readonly MetricSpec[], hasScores: boolean): readonly MetricSpec[] {
  const hasPrimary = written.some(({ primary }) => primary)
  const reported = (name: string, goal: 'minimize' | 'maximize', primary = false): MetricSpec => ({
    ...{ name, goal, primary: primary && !hasPrimary },
    source: { kind: 'reported' },
  })
  const added = [
    ...(hasScores ? [reported('score', 'maximize', true), reported(knownMetrics.passed, 'maximize')] : []),
    reported('cost_usd', 'minimize'),
    reported('agent_s', 'minimize'),
  ]
  return added.filter(({ name }) => written.every(one => one.name !== name))
}
