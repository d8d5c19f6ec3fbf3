import { resolve } from 'node:path'
import { formatDuration } from '../../util/duration.ts'
import type { Json } from '../../util/json.ts'
import { parseRanges } from '../../util/ranges.ts'
import type { Dialect, OptionName } from '../dialects/dialect.ts'
import { formatRate } from '../rate.ts'
import type { Edit } from './edit.ts'
import type { Overrides } from './overrides.ts'
import { readValue } from './scalar.ts'

/** The ready-made options, each written to where the dialect keeps it. */
export function optionEdits(overrides: Overrides, value: Json, dialect: Dialect, cwd: string): readonly Edit[] {
  const { name, out_root, seeds, timeout_ms, halt } = overrides
  const edit = (option: OptionName, flag: string, given: Json | undefined, written = given): readonly Edit[] => {
    if (given === undefined || written === undefined) return []
    const label = `${flag} ${typeof given === 'string' ? given : JSON.stringify(given)}`
    return [
      { option: label, path: dialect.pathOfOption(option, value), source: { value: written, spellingOf: () => null } },
    ]
  }
  /** Text that is a number in a file is a number here. */
  const read = (option: OptionName, flag: string, given: string | number | undefined): readonly Edit[] =>
    edit(option, flag, given, typeof given === 'string' ? readValue(given, `${flag} ${given}`).value : given)
  return [
    ...edit('name', '--exp-name', name),
    ...edit('out_root', '--out-root', out_root, out_root === undefined ? undefined : resolve(cwd, out_root)),
    ...read('jobs', '--jobs', overrides.jobs),
    ...edit('seeds', '--seeds', seeds, typeof seeds === 'string' ? (parseRanges(seeds) ?? seeds) : seeds),
    ...read(
      'timeout',
      '--timeout',
      overrides.timeout ?? (timeout_ms === undefined ? undefined : formatDuration(timeout_ms)),
    ),
    ...read('budget_usd', '--budget', overrides.budget_usd),
    ...read('run_budget_usd', '--run-budget', overrides.run_budget_usd),
    ...read('run_calls', '--run-calls', overrides.run_calls),
    ...read('run_tokens', '--run-tokens', overrides.run_tokens),
    ...rateEdits(overrides, [...dialect.pathOfOption('rate', value)]),
    ...edit('fail_on_rate_limit', '--fail-on-rate-limit', overrides.fail_on_rate_limit),
    ...edit('halt', '--halt', typeof halt === 'object' ? haltText(halt) : halt),
    ...edit('order', '--order', overrides.order),
  ]
}

/** Each provider on its own: the others of the file stay. */
function rateEdits({ rate = {} }: Overrides, path: Edit['path']): readonly Edit[] {
  return Object.entries(rate).map(([provider, limit]) => ({
    option: `--rate ${provider}=${formatRate(limit)}`,
    path: [...path, provider],
    source: { value: formatRate(limit), spellingOf: () => null },
  }))
}

const haltText = (rule: Exclude<Overrides['halt'], string | number | undefined>): string =>
  'share' in rule ? `${Number((rule.share * 100).toPrecision(12))}%` : `fail=${rule.failures}`
