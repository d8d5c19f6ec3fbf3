import * as z from 'zod'
import { wholeNumberAbove0, wholeNumberFrom0 } from '../../../define/schema/parts.ts'
import type { JsonObject } from '../../../util/json.ts'
import { isRegExp, linearRegExp } from '../../../util/linear-regexp.ts'
import { hybrid } from './hybrid.ts'
import { llmSummary, type SummarySettings } from './llm-summary.ts'
import { type MaskingSettings, observationMasking } from './observation-masking.ts'
import { raw } from './raw.ts'
import type { Strategy } from './strategy.ts'

/** The settings of all built-in strategies, by the names of parameters; the paper's values are the defaults. */
const allSettings = {
  hp_obs_n: wholeNumberAbove0.default(10).describe('How many of the newest outputs stay readable.'),
  hp_obs_polling: wholeNumberAbove0
    .default(1)
    .describe('The masked part grows only every so many outputs, so that caches of prompts stay useful.'),
  hp_obs_keep: pattern().describe('Outputs of commands that match this regular expression are never masked.'),
  hp_obs_remove: pattern().describe('Outputs of commands that match this regular expression are always masked.'),
  hp_sum_n: wholeNumberAbove0.default(21).describe('How many turns a summary takes in.'),
  hp_sum_keep_m: wholeNumberFrom0
    .default(10)
    .describe('How many of the newest turns stay as they are when a summary is written.'),
  hp_sum_static_checkpoint: z
    .union([z.boolean(), z.literal('legacy')], { error: 'expected true, false or legacy' })
    .default(true)
    .describe(
      'Whether only the newest summary is shown. legacy: only in the prompt right after it was written, as in the program of the paper.',
    ),
  hp_sum_extract_actions: z.boolean().default(false).describe('Whether a summary ends with a list of its commands.'),
  hp_sum_max_action_length: wordLimit().describe('Words of each command in that list; -1: all.'),
  hp_sum_max_reasoning_length: wordLimit().describe('Words of each message that the summariser sees; -1: all.'),
  hp_sum_omit_turns: z.boolean().default(false).describe('Whether turns are left out without a summary.'),
} as const

type SettingName = keyof typeof allSettings

const ofMasking = ['hp_obs_n', 'hp_obs_polling', 'hp_obs_keep', 'hp_obs_remove'] as const
const ofSummary = [
  'hp_sum_n',
  'hp_sum_keep_m',
  'hp_sum_static_checkpoint',
  'hp_sum_extract_actions',
  'hp_sum_max_action_length',
  'hp_sum_max_reasoning_length',
  'hp_sum_omit_turns',
] as const

/** Which parameters each built-in strategy uses. */
export const strategySettings = {
  raw: [],
  observation_masking: ofMasking,
  llm_summary: ofSummary,
  hybrid: [...ofSummary, ...ofMasking],
} as const satisfies Record<string, readonly SettingName[]>

export type StrategyName = keyof typeof strategySettings
export const strategyNames = Object.keys(strategySettings) as readonly StrategyName[]
export const isBuiltIn = (name: string): name is StrategyName => strategyNames.some(known => known === name)

/** Names of parameters that belong to some strategy. */
export const settingNames = Object.keys(allSettings) as readonly SettingName[]

const parsed = z.lazy(() =>
  z.object(allSettings).superRefine((settings, context) => {
    const message = keepProblem(settings)
    if (message !== null) context.addIssue({ code: 'custom', path: ['hp_sum_keep_m'], message })
  }),
)

/** With m ≥ n more turns stay than go into a summary, and the prompt hardly shrinks. */
export function keepProblem({ hp_sum_n: n, hp_sum_keep_m: m }: SummaryLengths): string | null {
  if (m < n) return null
  return `hp_sum_keep_m must be less than hp_sum_n: a summary of ${n} turns that leaves ${m} as they are keeps more than it saves`
}

interface SummaryLengths {
  readonly hp_sum_n: number
  readonly hp_sum_keep_m: number
}

/** A built-in strategy with its settings, or the problems with them. */
export function builtInStrategy(name: StrategyName, params: JsonObject): StrategyChoice {
  const mine = strategySettings[name]
  const own = Object.fromEntries(mine.flatMap(key => (params[key] === undefined ? [] : [[key, params[key]]])))
  const { success, data, error } = parsed.safeParse(own)
  if (!success)
    return { problems: error.issues.map(({ path, message }) => ({ name: String(path[0] ?? name), message })) }
  const settings = Object.fromEntries(mine.map(key => [key, data[key] ?? null]))
  return { strategy: made(name, data), settings }
}

export type StrategyChoice =
  | { readonly strategy: Strategy; readonly settings: JsonObject; readonly problems?: undefined }
  | { readonly problems: readonly { readonly name: string; readonly message: string }[] }

function made(name: StrategyName, settings: z.output<typeof parsed>): Strategy {
  switch (name) {
    case 'raw':
      return erased(raw)
    case 'observation_masking':
      return erased(observationMasking(maskingOf(settings)))
    case 'llm_summary':
      return erased(llmSummary(summaryOf(settings)))
    case 'hybrid':
      return erased(hybrid(summaryOf(settings), maskingOf(settings)))
  }
}

const maskingOf = (settings: z.output<typeof parsed>): MaskingSettings => ({
  n: settings.hp_obs_n,
  polling: settings.hp_obs_polling,
  keep: regExpOf(settings.hp_obs_keep),
  remove: regExpOf(settings.hp_obs_remove),
})

const regExpOf = (pattern: string | null | undefined): RegExp | null => (pattern == null ? null : linearRegExp(pattern))

const summaryOf = (settings: z.output<typeof parsed>): SummarySettings => ({
  n: settings.hp_sum_n,
  keep_m: settings.hp_sum_keep_m,
  static_checkpoint: settings.hp_sum_static_checkpoint,
  extract_actions: settings.hp_sum_extract_actions,
  max_action_length: settings.hp_sum_max_action_length,
  max_reasoning_length: settings.hp_sum_max_reasoning_length,
  omit_turns: settings.hp_sum_omit_turns,
})

/** A strategy's state is handed back to that strategy alone. */
export function erased<S>(strategy: Strategy<S>): Strategy {
  return strategy as Strategy
}

/** null: none, as trajectories have it. */
function pattern() {
  return z.string().refine(isRegExp, { error: 'expected a regular expression' }).nullish()
}

function wordLimit() {
  return z.int({ error: 'expected a number of words, or -1 for all' }).min(-1).default(-1)
}
