import { relative, resolve } from 'node:path'
import { type ArmAnswer, RepriceStudy } from '../../../analyze/reprice/reprice.ts'
import { environmentFor } from '../../../models/model-facts.ts'
import { type PricedModel, pricedModel } from '../../../models/pricing.ts'
import { readTrajectories } from '../../../models/trajectory/read-trajectories.ts'
import { requirePictureEnding } from '../../../report/pictures/write-picture.ts'
import { AssayError } from '../../../util/errors.ts'
import { counted, listed } from '../../../util/words.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { commaList } from '../../parse-values.ts'
import { armsOf } from '../../reprice/arms.ts'
import { drawReprice } from '../../reprice/picture.ts'
import { type FirstLook, isTrajectory, lookAt } from '../../reprice/recordings.ts'
import { repriceLines } from '../../reprice/reprice-view.ts'
import { styler } from '../../views/style.ts'

/** Without a declared or recorded size: about what a summary with the sections of the paper takes. */
const usualSummary = 500

export async function repriceCommand([dir = '.']: readonly string[], options: Options, io: Io): Promise<number> {
  const { output } = options
  if (output !== undefined && output !== 'none') requirePictureEnding(output)
  const folder = resolve(io.cwd, dir)
  const look = lookAt(folder)
  if (look.trajectories === 0) throw nothingFound(dir, look)
  const models = await modelsOf(options, look, io)
  const summaryTokens = options.summaryTokens ?? look.summaryTokens ?? usualSummary
  const summariser = await summariserOf(options, io)
  const arms = armsOf(options, models, { summaryTokens, cwd: io.cwd, summariser })
  const study = new RepriceStudy(arms)
  const [model] = models
  for (const found of readTrajectories(folder))
    if (isTrajectory(found) && model !== undefined) study.add(found.trajectory, model)
  const answers = study.finish()
  const notes = notesOf(look, answers, { models, calibrated: study.calibrated, summaryTokens, options })
  const picture = output === undefined || output === 'none' ? null : resolve(io.cwd, output)
  if (picture !== null) await drawReprice(answers, picture)
  if (options.json)
    writeJson(io.stdout, {
      kind: 'reprice',
      dir: folder,
      trajectories: look.trajectories,
      recorded_cost_usd: look.cost_usd,
      arms: answers,
      instances: study.rows,
      notes,
      unread: look.unread,
    })
  else {
    const style = styler(io.stdout)
    writeLines(io.stdout, [
      `${counted(look.trajectories, 'trajectory')} priced anew; nothing was called.`,
      '',
      ...repriceLines(answers, { width: tableWidth(io.stdout), head: style.dim }),
      '',
      ...notes.map(note => style.dim(note)),
      ...(picture === null ? [] : [`Plot: ${relative(io.cwd, picture)}`]),
    ])
  }
  return 0
}

const nothingFound = (dir: string, { unread: [first] }: FirstLook): AssayError =>
  new AssayError(
    'not_found',
    `${dir}: there is no trajectory here${first === undefined ? '' : `; ${first.file} ${first.reason}`}`,
    {
      hint: 'assay reads .traj files of SWE-agent, files of mini-swe-agent, ATIF, and trajectory.json of its own runs.',
    },
  )

/** Those that are asked for; else the one that made the recordings. */
async function modelsOf(options: Options, { models }: FirstLook, io: Io): Promise<readonly PricedModel[]> {
  const names = options.model === undefined ? models : commaList(options.model)
  if (names.length === 0)
    throw new AssayError('usage', 'the recordings do not say which model made them', {
      hint: 'Name one whose prices are to be used: --model gpt-4o-mini',
    })
  return Promise.all(names.map(name => priced(name, options, io)))
}

const summariserOf = async (options: Options, io: Io): Promise<PricedModel | null> =>
  options.summarizerModel === undefined || options.summarizerModel === 'same'
    ? null
    : priced(options.summarizerModel, {}, io)

const priced = (name: string, { price }: Options, io: Io): Promise<PricedModel> =>
  pricedModel(name, { settings: {}, env: environmentFor([io.cwd], io.env) }, price)

interface About {
  readonly models: readonly PricedModel[]
  readonly calibrated: number
  readonly summaryTokens: number
  readonly options: Options
}

/** What the figures rest on, and what they can't know. */
function notesOf(look: FirstLook, arms: readonly ArmAnswer[], about: About): readonly string[] {
  const { models, calibrated, summaryTokens, options } = about
  const unpriced = models.filter(({ price_from }) => price_from === 'unknown').map(({ name }) => name)
  const overflows = arms.filter(arm => arm.overflows > 0)
  const hasSummaries = arms.some(arm => /^(llm_summary|hybrid)/.test(arm.arm))
  return [
    'The agent’s answers and the outputs of its commands are taken as recorded. Under another strategy it would have seen other prompts and may have done something else: that can’t be known from recordings.',
    calibrated === look.trajectories
      ? 'Sizes of prompts are scaled to what the provider counted.'
      : `Sizes of prompts are estimated by a tokenizer${calibrated > 0 ? `; in ${calibrated} of ${look.trajectories} they are scaled to what the provider counted` : ''}.`,
    ...(hasSummaries
      ? [
          `Summaries are assumed to have ${summaryTokens} tokens${options.summaryTokens === undefined ? (look.summaryTokens === null ? ' (no recording has one; --summary-tokens)' : ', the mean of those that were recorded') : ''}.`,
        ]
      : []),
    ...(unpriced.length > 0
      ? [`Nobody knows what ${listed(unpriced)} costs: --price input,cached,output in USD for a million tokens.`]
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
