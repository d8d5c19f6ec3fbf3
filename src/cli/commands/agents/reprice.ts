import { extname, relative, resolve } from 'node:path'
import { type ArmAnswer, RepriceStudy } from '../../../analyze/reprice/reprice.ts'
import { environmentFor, type ModelLookup, type PricedModel, pricedModel } from '../../../models/model-facts.ts'
import { readTrajectories } from '../../../models/trajectory/trajectory-files.ts'
import { requirePictureEnding } from '../../../report/pictures/write-picture.ts'
import { AssayError } from '../../../util/errors.ts'
import { counted, listed, slugOf } from '../../../util/words.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { commaList } from '../../parse-values.ts'
import { armsOf } from '../../reprice/arms.ts'
import { drawReprice } from '../../reprice/picture.ts'
import { isTrajectory, modelSettingsOf, type Survey, surveyOf } from '../../reprice/recordings.ts'
import { repriceLines } from '../../reprice/reprice-view.ts'
import { styler } from '../../views/style.ts'

/** If no size is declared or recorded: about the length of a summary with the sections of the paper. */
const defaultSummary = 500

export async function repriceCommand([dir = '.']: readonly string[], options: Options, io: Io): Promise<number> {
  const { output } = options
  if (output !== undefined && output !== 'none') requirePictureEnding(output)
  const folder = resolve(io.cwd, dir)
  const look = surveyOf(folder)
  if (look.trajectories === 0) throw nothingFound(dir, look)
  const lookup = { settings: modelSettingsOf(folder), env: environmentFor([io.cwd], io.env) }
  const summaryTokens = options.summaryTokens ?? look.summaryTokens ?? defaultSummary
  const summariser = await summariserOf(options, lookup)
  const models = await Promise.all(modelNames(options, look).map(name => pricedModel(name, lookup, options.price)))
  const studies = models.map(model => {
    const study = new RepriceStudy(armsOf(options, model, { summaryTokens, cwd: io.cwd, summariser }))
    return { model, study }
  })
  // Models that are not requested only price their own recordings.
  for (const found of readTrajectories(folder))
    for (const { model, study } of studies)
      if (isTrajectory(found) && (options.model !== undefined || found.trajectory.agent.model === model.name))
        study.add(found.trajectory, model)
  const answers = studies.map(({ model, study }) => ({ model: model.name, arms: study.finish(), study }))
  const calibrated = studies.reduce((sum, { study }) => sum + study.calibrated, 0)
  const notes = notesOf(
    look,
    answers.flatMap(({ arms }) => arms),
    { models, calibrated, summaryTokens, options },
  )
  const pictures = output === undefined || output === 'none' ? [] : await draw(answers, resolve(io.cwd, output))
  if (options.json)
    writeJson(io.stdout, {
      kind: 'reprice',
      dir: folder,
      trajectories: look.trajectories,
      recorded_cost_usd: look.cost_usd,
      models: answers.map(({ model, arms, study }) => ({ model, arms, instances: study.rows })),
      notes,
      unread: look.unread,
    })
  else {
    const style = styler(io.stdout)
    const width = tableWidth(io.stdout)
    writeLines(io.stdout, [
      `${counted(look.trajectories, 'trajectory')} repriced; no model was called.`,
      ...answers.flatMap(({ model, arms }) => ['', model, ...repriceLines(arms, { width, head: style.dim })]),
      '',
      ...notes.map(note => style.dim(note)),
      ...pictures.map(file => `Plot: ${relative(io.cwd, file)}`),
    ])
  }
  return 0
}

interface ModelAnswer {
  readonly model: string
  readonly arms: readonly ArmAnswer[]
}

/** One picture for each model: `costs.png`, or `costs-gpt-4o.png`. */
async function draw(answers: readonly ModelAnswer[], file: string): Promise<readonly string[]> {
  const ending = extname(file)
  const files = answers.map(({ model }) =>
    answers.length === 1 ? file : `${file.slice(0, -ending.length)}-${slugOf(model)}${ending}`,
  )
  for (const [at, { arms }] of answers.entries()) await drawReprice(arms, files[at] ?? file)
  return files
}

const nothingFound = (dir: string, { unread: [first] }: Survey): AssayError =>
  new AssayError(
    'not_found',
    `${dir}: there is no trajectory here${first === undefined ? '' : `; ${first.file} ${first.reason}`}`,
    {
      hint: 'assay reads .traj files of SWE-agent, files of mini-swe-agent, ATIF, and trajectory.json of its own runs.',
    },
  )

/** The requested ones; otherwise those that made the recordings. */
function modelNames({ model }: Options, { models }: Survey): readonly string[] {
  const names = model === undefined ? [...models.keys()] : commaList(model)
  if (names.length > 0) return names
  throw new AssayError('usage', 'the recordings do not say which model made them', {
    hint: 'Name a model whose prices to use: --model gpt-4o-mini',
  })
}

const summariserOf = async ({ summarizerModel = 'same' }: Options, lookup: ModelLookup): Promise<PricedModel | null> =>
  summarizerModel === 'same' ? null : pricedModel(summarizerModel, lookup)

interface About {
  readonly models: readonly PricedModel[]
  readonly calibrated: number
  readonly summaryTokens: number
  readonly options: Options
}

/** What the figures are based on, and what they can't know. */
function notesOf(look: Survey, arms: readonly ArmAnswer[], about: About): readonly string[] {
  const { models, calibrated, summaryTokens, options } = about
  const unpriced = models.filter(({ price_from }) => price_from === 'unknown').map(({ name }) => name)
  const overflows = arms.filter(arm => arm.overflows > 0)
  const hasSummaries = arms.some(arm => /^(llm_summary|hybrid)/.test(arm.arm))
  return [
    'The agent’s answers and the outputs of its commands are taken as recorded. Under another strategy it would have seen other prompts and may have done something else: that can’t be known from recordings.',
    ...strategyNotes(look),
    calibrated >= look.trajectories
      ? 'Sizes of prompts are scaled to what the provider counted.'
      : `Sizes of prompts are estimated by a tokenizer${calibrated > 0 ? `; in ${calibrated} of ${look.trajectories} they are scaled to what the provider counted` : ''}.`,
    ...(hasSummaries
      ? [
          `Summaries are assumed to have ${summaryTokens} tokens${options.summaryTokens === undefined ? (look.summaryTokens === null ? ' (no recording has one; --summary-tokens)' : ', the mean of those that were recorded') : ''}.`,
        ]
      : []),
    ...(unpriced.length > 0
      ? [`The price of ${listed(unpriced)} is unknown: --price input,cached,output in USD for a million tokens.`]
      : []),
    ...(overflows.length > 0
      ? [
          'Where a prompt does not fit into the model’s context, cost counts up to there: the agent would have ended without finishing.',
        ]
      : []),
    ...look.unread.map(({ file, reason }) => `${file} ${reason}`).slice(0, 5),
    ...(look.unread.length > 5 ? [`and ${look.unread.length - 5} more files that can’t be read`] : []),
  ]
}

/** An agent's actions depend on what it saw. */
function strategyNotes({ strategies }: Survey): readonly string[] {
  const names = [...strategies].map(([name, count]) => `${name} (${count})`)
  return names.length === 0 ? [] : [`They were recorded with ${listed(names, Number.POSITIVE_INFINITY)}.`]
}
