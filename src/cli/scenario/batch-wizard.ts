import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { stringify } from 'yaml'
import { batchTemplate } from '../../define/dialects/for-help.ts'
import { environmentFor, type ModelLookup, modelFacts } from '../../models/model-facts.ts'
import { type OpenedScenario, openScenario } from '../../targets/scenario/open-scenario.ts'
import { AssayError } from '../../util/errors.ts'
import type { Json } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import { slugOf } from '../../util/words.ts'
import { chooseExperiment } from '../experiment/choose-experiment.ts'
import { type Io, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { modelsFilesOf, scenarioExperiment } from './scenario-experiment.ts'

/** Asks on a terminal what a batch should do, and writes its configuration; otherwise it takes the default answers. */
export async function batchWizard([where = '.']: readonly string[], options: Options, io: Io): Promise<number> {
  const folder = resolve(io.cwd, where)
  const isAsking = io.stdin.isTTY === true && io.stdout.isTTY && !options.yes && !options.json
  const questions = isAsking ? new Questions(io) : null
  try {
    const answers = await answersOf(folder, questions, { ...io, cwd: folder })
    const file = join(folder, answers.output_dir, 'batch-config.yaml')
    if (existsSync(file) && !options.force)
      throw new AssayError('usage', `already there: ${relative(io.cwd, file)}`, {
        hint: 'Choose another output_dir, or overwrite with --force.',
      })
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, fileText(answers))
    const shown = relative(io.cwd, file)
    if (options.json) writeJson(io.stdout, { kind: 'init', template: batchTemplate, config: shown, files: [shown] })
    else
      writeLines(io.stdout, [
        `wrote ${shown}`,
        `what it will cost:  assay plan ${shown}`,
        `try it for free:    assay run ${shown} --rehearse`,
        `run it:             assay run ${shown}`,
      ])
    return 0
  } finally {
    questions?.close()
  }
}

interface Answers {
  readonly experiment_name: string
  readonly description: string
  readonly base_scenario: string
  /** The file with settings of models; null: there is none. */
  readonly models: string | null
  readonly runs_per_variation: number
  readonly max_parallel: number
  readonly timeout_per_run: number
  readonly budget_limit: number | null
  readonly cost_per_run_limit: number | null
  readonly variations: readonly Json[]
  readonly output_dir: string
}

async function answersOf(folder: string, questions: Questions | null, io: Io): Promise<Answers> {
  const ask: Ask = async (text, usual, read) => (questions === null ? usual : questions.ask(text, usual, read))
  const base_scenario = await ask<string>('Folder of the scenario', foundIn(folder)[0] ?? '', path =>
    scenarioIn(folder, path) === null ? refuse(problemIn(folder, path)) : path,
  )
  const scenario = scenarioIn(folder, base_scenario)
  if (scenario === null) throw noScenario(folder, base_scenario)
  const models = await modelsFileOf(base_scenario, ask, io)
  const experiment_name = await ask('Name of the experiment', `${scenario.name} study`, text => text)
  const description = await ask('Description', '', text => text)
  const runs_per_variation = await ask('Runs per variation', 5, wholeNumber)
  const max_parallel = await ask('Runs at once', 2, wholeNumber)
  const timeout_per_run = await ask('Seconds that a run may take', 1800, wholeNumber)
  const budget_limit = await ask<number | null>('Budget of the batch in USD (none: no limit)', 1, money)
  const cost_per_run_limit = await ask<number | null>('Limit of one run in USD (none: no limit)', null, money)
  const variations = questions === null ? [] : await variationsOf(scenario, ask, lookupOf(base_scenario, models, io))
  const output_dir = await ask('Output folder', `experiments/${slugOf(experiment_name).toLowerCase()}`, text => text)
  return {
    ...{ experiment_name, description, base_scenario, models, runs_per_variation, max_parallel, timeout_per_run },
    ...{ budget_limit, cost_per_run_limit, variations, output_dir },
  }
}

type Ask = <T>(text: string, usual: T, read: Read<T>) => Promise<T>
type Read<T> = (answer: string) => T | Refusal | Promise<T | Refusal>

/** Asked only if there is one: without it, models defined there are unknown. */
async function modelsFileOf(base_scenario: string, ask: Ask, io: Io): Promise<string | null> {
  const places = ['models.yaml', ...modelsFilesOf(base_scenario)]
  const found = places.find(file => existsSync(resolve(io.cwd, file)))
  if (found === undefined) return null
  return ask<string | null>('File with settings of models (none: no file)', found, file => {
    if (isNone(file)) return null
    try {
      lookupOf(base_scenario, file, io)
      return file
    } catch (error) {
      if (!(error instanceof AssayError)) throw error
      return refuse(error.message)
    }
  })
}

function lookupOf(base_scenario: string, models: string | null, io: Io): ModelLookup {
  const options = models === null ? {} : { models }
  const { experiment } = chooseExperiment([], options, io, 'look', scenarioExperiment(base_scenario, options, io))
  return { settings: experiment.models ?? {}, env: environmentFor([io.cwd], io.env) }
}

/** An actor and its models, until no more is wanted. */
async function variationsOf({ actors }: Scenario, ask: Ask, lookup: ModelLookup): Promise<readonly Json[]> {
  const variations: Json[] = []
  const left = actors.map(({ short_name }) => short_name)
  for (;;) {
    const actor = await ask<string>(`Actor whose model varies (${left.join(', ')}; empty: no more)`, '', name =>
      left.includes(name)
        ? name
        : refuse(`there is no actor "${name}"; ${didYouMean(name, left) ?? `actors: ${left.join(', ')}`}`),
    )
    if (actor === '') return variations
    left.splice(left.indexOf(actor), 1)
    const own = actors.find(({ short_name }) => short_name === actor)?.model ?? ''
    const values = await ask(`Models of ${actor}, with commas`, [own], text => modelsNamed(text, lookup))
    variations.push({ type: 'actor_model', actor, values: [...values] })
    if (left.length === 0) return variations
  }
}

/** A name that no model can have is refused here, not only when a run would start; a key may come later. */
async function modelsNamed(text: string, lookup: ModelLookup): Promise<readonly string[] | Refusal> {
  const names = text
    .split(',')
    .map(one => one.trim())
    .filter(Boolean)
  if (names.length === 0) return refuse('expected the name of a model, or several')
  const repeated = names.find((name, at) => names.indexOf(name) < at)
  if (repeated !== undefined) return refuse(`${repeated} is named twice`)
  const facts = await Promise.all(names.map(name => modelFacts(name, lookup)))
  const unknown = facts.flatMap(({ problem }) =>
    problem?.fault === 'unknown_model' ? [[problem.message, problem.hint].filter(Boolean).join('; ')] : [],
  )
  return unknown.length === 0 ? names : refuse(unknown.join('\n'))
}

const foundIn = (folder: string): readonly string[] =>
  globSync(['scenario.yaml', 'scenarios/*/scenario.yaml', '*/scenario.yaml', 'scenarios/*/definition/scenario.yaml'], {
    cwd: folder,
  })
    .map(file => dirname(file).replace(/\/definition$/, ''))
    .sort()

type Scenario = NonNullable<OpenedScenario['scenario']>

const scenarioIn = (folder: string, path: string): Scenario | null =>
  path === '' ? null : openScenario(path, folder).scenario

const problemIn = (folder: string, path: string): string => openScenario(path, folder).problems.join('\n')

function noScenario(folder: string, path: string): AssayError {
  if (path !== '') return new AssayError('config', problemIn(folder, path))
  return new AssayError('not_found', 'there is no folder with a scenario.yaml here', {
    hint: 'assay init --template scenario writes one to start from.',
  })
}

interface Refusal {
  readonly refusal: string
}

const refuse = (refusal: string): Refusal => ({ refusal })

const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && 'refusal' in answer

const wholeNumber = (text: string): number | Refusal =>
  /^[1-9]\d*$/.test(text) ? Number(text) : refuse(`expected a whole number above 0, got "${text}"`)

const isNone = (text: string): boolean => /^(none|no|-)$/i.test(text)

function money(text: string): number | null | Refusal {
  if (isNone(text)) return null
  const usd = Number(text.replace(/^\$/, ''))
  return usd > 0 && Number.isFinite(usd) ? usd : refuse(`expected an amount in USD or none, got "${text}"`)
}

/** One question per line; an empty answer means the default. */
class Questions {
  readonly #io: Io
  readonly #lines: AsyncIterator<string>
  readonly #reader: ReturnType<typeof createInterface>

  constructor(io: Io) {
    this.#io = io
    this.#reader = createInterface({ input: io.stdin })
    this.#lines = this.#reader[Symbol.asyncIterator]()
  }

  async ask<T>(text: string, usual: T, read: Read<T>): Promise<T> {
    for (;;) {
      this.#io.stdout.write(`${text}${usual === '' ? '' : ` [${usual ?? 'none'}]`}: `)
      const { value, done } = await this.#lines.next()
      if (done)
        throw new AssayError('usage', 'the questions were not answered', {
          hint: '--yes accepts the default answers.',
        })
      const line = value.trim()
      const answer = line === '' ? usual : await read(line)
      if (!isRefusal(answer)) return answer
      this.#io.stdout.write(`${answer.refusal}\n`)
    }
  }

  close(): void {
    this.#reader.close()
  }
}

function fileText({ models, budget_limit, cost_per_run_limit, description, ...answers }: Answers): string {
  const { experiment_name, base_scenario, variations, output_dir, ...runs } = answers
  return [
    stringify({ experiment_name, ...(description !== '' && { description }), base_scenario }),
    stringify(runs),
    stringify({
      ...(budget_limit !== null && { budget_limit }),
      ...(cost_per_run_limit !== null && { cost_per_run_limit }),
    }),
    stringify({ variations }),
    stringify({ output_dir, save_individual_runs: true, aggregate_metrics: true }),
    stringify(models === null ? {} : { assay: { models } }),
  ]
    .filter(part => part.trim() !== '{}')
    .join('\n')
}
