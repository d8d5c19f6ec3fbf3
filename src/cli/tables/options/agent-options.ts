import { AssayError } from '../../../util/errors.ts'
import type { Json } from '../../../util/json.ts'
import { commaList, decimal, positiveNumber, wholeNumber, word } from '../../parse-values.ts'
import { choice, type OptionSpec, value } from './option.ts'

/** Settings of context strategies, as parameters of a variant: `--hp-obs-n` is `hp_obs_n`. */
const strategyOptions = {
  hpObsN: setting('n', 'how many of the newest outputs stay readable (10)', positiveNumber),
  hpObsPolling: setting('n', 'mask more outputs only every n outputs (1)', positiveNumber),
  hpSumN: setting('n', 'how many turns a summary covers (21)', positiveNumber),
  hpSumKeepM: setting('n', 'how many of the newest turns stay out of summaries (10)', wholeNumber),
  hpSumStaticCheckpoint: setting('bool', 'show only the newest summary: true, false or legacy (true)', checkpoint),
  hpSumExtractActions: setting('bool', 'end each summary with a list of commands (false)', yesOrNo),
  hpSumMaxActionLength: setting('words', 'the most words of each command in that list; -1: all (-1)', decimal),
  hpSumMaxReasoningLength: setting(
    'words',
    'the most words of each message that the summarizer sees; -1: all (-1)',
    decimal,
  ),
  hpSumOmitTurns: setting('bool', 'leave turns out without summarizing them (false)', yesOrNo),
} as const satisfies Record<string, OptionSpec>

export const strategyOptionNames = Object.keys(strategyOptions) as readonly (keyof typeof strategyOptions)[]

/** The agent's options. Options that take a list mean one variant for each of its values. */
export const agentOptions = {
  strategy: value({
    group: 'Models',
    value: 'names',
    description: 'context strategies: raw, observation_masking, llm_summary, hybrid, or the path of a module',
    parse: names,
  }),
  summarizerModel: value({
    group: 'Models',
    value: 'name',
    description: 'the model that writes summaries; same: the agent’s own (the default)',
    parse: word,
  }),
  ...strategyOptions,
  cacheRule: choice({
    group: 'Models',
    value: 'rule',
    choices: ['auto', 'none', 'prefix'],
    description:
      'what counts as cached input: as the model’s provider does it (auto), nothing, or any common beginning',
  }),
  summaryTokens: value({
    group: 'Models',
    value: 'n',
    description: 'how long a summary is assumed to be (default: as recorded, else 500)',
    parse: positiveNumber,
  }),
  contextTokens: value({
    group: 'Models',
    value: 'n',
    description: 'how many tokens a prompt and its answer may have (default: as the model allows)',
    parse: positiveNumber,
  }),
  price: value({
    group: 'Models',
    value: 'usd',
    description:
      'USD for a million tokens: input,cached,output such as 1,0.4,5, and a fourth for writing to the cache; for longer prompts too: "1,0.4,5; 32000: 1.8,0.72,9"',
    parse: tiers,
  }),
} as const satisfies Record<string, OptionSpec>

function names(given: string): readonly string[] {
  const found = commaList(given)
  if (found.length === 0) throw new AssayError('usage', `expected names, got ${JSON.stringify(given)}`)
  return found
}

/** A setting of a strategy: one value, or several separated by commas. */
function setting(name: string, description: string, parse: (text: string) => Json): OptionSpec<readonly Json[]> {
  return value({ group: 'Models', value: name, description, parse: given => names(given).map(parse) })
}

/** As in Python's argument parsers in the program of the paper: everything else is false. */
function yesOrNo(given: string): boolean {
  return ['1', 'true', 't', 'yes', 'y'].includes(given.toLowerCase())
}

function checkpoint(given: string): Json {
  return given.toLowerCase() === 'legacy' ? 'legacy' : yesOrNo(given)
}

export interface PriceTierGiven {
  readonly above: number
  readonly input: number
  readonly cached_input: number
  readonly output: number
  readonly cache_write?: number
}

/** In the order of the sizes that they apply to, however they are written. */
function tiers(given: string): readonly PriceTierGiven[] {
  return given
    .split(';')
    .map(tierIn)
    .sort((one, other) => one.above - other.above)
}

function tierIn(part: string): PriceTierGiven {
  const [, above = '0', numbers = ''] = /^\s*(?:(\d+)\s*:)?(.*)$/.exec(part) ?? []
  const [input, cached_input, output, cache_write, ...more] = commaList(numbers).map(decimal)
  const isWhole = input !== undefined && cached_input !== undefined && output !== undefined && more.length === 0
  if (!isWhole)
    throw new AssayError(
      'usage',
      `expected input,cached,output or input,cached,output,write in USD for a million tokens, got ${JSON.stringify(part)}`,
    )
  return { above: Number(above), input, cached_input, output, ...(cache_write !== undefined && { cache_write }) }
}
