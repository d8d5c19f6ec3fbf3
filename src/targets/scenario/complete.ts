import { relative } from 'node:path'
import type { Contents, Factor, MetricSpec } from '../../define/experiment.ts'
import { knownMetrics } from '../../define/observation.ts'
import { resolvePath } from '../../define/read-files.ts'
import type { Completion, Problem, WrittenAround } from '../../define/target.ts'
import { behaviourDigests } from '../../models/names/settings-of.ts'
import { AssayError } from '../../util/errors.ts'
import { sha256OfJson } from '../../util/hash.ts'
import { isOverride } from './formats/overrides.ts'
import { readScenario } from './formats/read-scenario.ts'
import { assembleFiles, type ScenarioFiles } from './formats/scenario-files.ts'
import { seriesNames } from './metrics/expression.ts'
import { modelsOf } from './scenario-of-run.ts'
import type { ScenarioSpec, Trunk } from './spec.ts'
import { readStateTexts } from './state-texts.ts'
import { isTrunk, readTrunk } from './trunk.ts'

/**
 * Reads the folders of the scenarios and the runs to branch from, so that an experiment is complete without its files;
 * adds the factor `scenario`, and the metrics that scenarios declare. A changed scenario is another level, so its runs
 * are other runs.
 */
export function completeScenario(spec: ScenarioSpec, around: WrittenAround): Completion {
  const problems: Problem[] = []
  const paths = texts([...(spec.scenario === undefined ? [] : [spec.scenario].flat()), ...around.levelsOf('scenario')])
  if (paths.length === 0)
    problems.push({
      path: ['target', 'scenario'],
      message: 'no scenario is named',
      hint: 'name a folder: target: { kind: scenario, scenario: scenarios/harbour }',
    })
  const files: { [path: string]: ScenarioFiles } = {}
  const notes: string[] = []
  for (const path of paths) {
    const given = spec.files?.[path]
    const read =
      given === undefined
        ? readScenario(shown(path, around), around.cwd)
        : { files: given, problems: [], notes: spec.notes ?? [] }
    notes.push(...read.notes)
    if (read.files !== null) files[path] = read.files
    problems.push(...read.problems.map(message => ({ path: ['target', 'scenario'], message })))
  }
  const branches = texts([
    ...(spec.branch_from === undefined ? [] : [spec.branch_from]),
    ...around.levelsOf('branch_from'),
  ]).filter(one => !isTrunk(one))
  const trunks = trunksOf(branches, spec, around, problems)
  for (const [path, { actors }] of Object.entries(files))
    for (const [level, trunk] of Object.entries(trunks))
      if (trunk.actors.toSorted().join() !== Object.keys(actors).toSorted().join())
        problems.push({
          path: ['target', 'branch_from'],
          message: `${level} has other actors than ${path}: ${trunk.actors.join(', ')}`,
        })
  const states = readStateTexts(spec.texts ?? {}, around)
  problems.push(...states.problems)
  return {
    spec: JSON.parse(
      JSON.stringify({
        ...{ ...spec, files, notes: [...new Set(notes)] },
        ...(branches.length > 0 && { trunks }),
        ...(Object.keys(states.texts).length > 0 && { texts: states.texts }),
      }),
    ),
    factors: factorsOf(spec, paths, around),
    blocks: [],
    metrics: metricsOf(Object.values(files), around.metrics),
    contents: { ...contentsOf(files, trunks, around), ...states.contents },
    problems,
  }
}

const texts = (levels: readonly unknown[]): readonly string[] => [
  ...new Set(levels.filter(level => typeof level === 'string')),
]

/** For people: from the working directory. */
const shown = (path: string, around: WrittenAround): string => relative(around.cwd, resolvePath(path, around)) || '.'

function trunksOf(
  branches: readonly string[],
  spec: ScenarioSpec,
  around: WrittenAround,
  problems: Problem[],
): { readonly [level: string]: Trunk } {
  return Object.fromEntries(
    branches.flatMap(level => {
      try {
        return [[level, spec.trunks?.[level] ?? readTrunk(level, around)]]
      } catch (error) {
        if (!(error instanceof AssayError)) throw error
        problems.push({
          path: ['target', 'branch_from'],
          message: error.message,
          ...(error.hint !== undefined && { hint: error.hint }),
        })
        return []
      }
    }),
  )
}

/** Existing factors and parameters stay the user's own. */
function factorsOf(
  { branch_from }: ScenarioSpec,
  paths: readonly string[],
  { factors, params }: WrittenAround,
): readonly Factor[] {
  const added = [
    { name: 'scenario', levels: paths },
    { name: 'branch_from', levels: branch_from === undefined ? [] : [branch_from] },
  ]
  return added
    .filter(({ name, levels }) => !factors.includes(name) && params[name] === undefined && levels.length > 0)
    .map(({ name, levels }) => ({ name, levels, when: null }))
}

function contentsOf(
  files: { readonly [path: string]: ScenarioFiles },
  trunks: { readonly [level: string]: Trunk },
  { models, factors, params }: WrittenAround,
): Contents {
  const digests = behaviourDigests(models)
  const names = [...factors, ...Object.keys(params)]
  const isReplaced = (actor: string) =>
    [`actors.${actor}.model`, `actors.${actor}.llm_model`].some(name => names.includes(name))
  const ofScenario = Object.entries(files).map(([path, one]) => {
    const { scenario } = assembleFiles(one)
    // A model that every run replaces says nothing about any of them.
    const kept =
      scenario === null
        ? []
        : modelsOf({ ...scenario, actors: scenario.actors.filter(({ short_name }) => !isReplaced(short_name)) })
    const behaviours = Object.fromEntries(
      kept.flatMap(name => (digests[name] === undefined ? [] : [[name, digests[name]]])),
    )
    return [path, sha256OfJson({ files: one, behaviours }).slice(0, 16)] as const
  })
  const modelParameters = names.filter(name => isOverride(name) && /(?:^|[._])model$/.test(name))
  return {
    scenario: Object.fromEntries(ofScenario),
    ...Object.fromEntries(modelParameters.map(name => [name, digests])),
    ...(Object.keys(trunks).length > 0 && {
      branch_from: Object.fromEntries(
        Object.entries(trunks).map(([level, trunk]) => [level, sha256OfJson(trunk).slice(0, 16)]),
      ),
    }),
  }
}

/** Success decides, unless the user says otherwise; texts have no number. */
function metricsOf(all: readonly ScenarioFiles[], written: readonly MetricSpec[]): readonly MetricSpec[] {
  const hasPrimary = written.some(({ primary }) => primary)
  const reported = (name: string, goal: MetricSpec['goal'], primary = false): MetricSpec => ({
    ...{ name, goal, primary: primary && !hasPrimary },
    source: { kind: 'reported' },
  })
  const declared = all.flatMap(files => {
    const { scenario } = assembleFiles(files)
    return (scenario?.metrics ?? [])
      .filter(({ type }) => type !== 'string')
      .flatMap(metric => seriesNames(metric, scenario?.actors ?? []))
  })
  const added = [
    reported(knownMetrics.passed, 'maximize', true),
    ...[...new Set(declared)].map(name => reported(name, null)),
    reported('cost_usd', 'minimize'),
  ]
  return added.filter(({ name }) => written.every(one => one.name !== name))
}
