import { resolve } from 'node:path'
import type { Json } from '../../util/json.ts'
import { longFlag } from '../../util/words.ts'
import type { Dialect, OptionName } from '../dialects/dialect.ts'
import { parseRanges } from '../levels.ts'
import { formatRate } from '../limit-kinds.ts'
import { defaultLimits, type GivenLimits, limitFields, limitsInFile, limitTable } from '../limits.ts'
import type { Path } from '../source/source.ts'
import type { Edit } from './edit.ts'
import type { Overrides } from './overrides.ts'

/** The ready-made options, each written to its place in the dialect. */
export function optionEdits(overrides: Overrides, value: Json, dialect: Dialect, cwd: string): readonly Edit[] {
  const { name, out_root, seeds, order, models, instances, branch_from, limits = {} } = overrides
  const here = (path: string | undefined) => (path === undefined ? undefined : resolve(cwd, path))
  const edit = (option: OptionName, flag: string, given: Json | undefined, written = given): readonly Edit[] =>
    given === undefined || written === undefined
      ? []
      : [editAt(dialect.pathOfOption(option, value), `${flag} ${shown(given)}`, written)]
  return [
    ...edit('name', '--exp-name', name),
    ...edit('out_root', '--out-root', out_root, here(out_root)),
    ...edit('models', '--models', models, here(models)),
    ...edit('instances', '--instances', instances, here(instances)),
    ...edit('branch_from', '--branch-from', branch_from),
    ...edit('seeds', '--seeds', seeds, typeof seeds === 'string' ? (parseRanges(seeds) ?? seeds) : seeds),
    ...edit('order', '--order', order),
    ...limitEdits(limits, dialect),
  ]
}

/**
 * So that checks on reading an experiment, such as that of the budget, use the limits that apply. Retries are not
 * checked, and a number of them is combined with the file's classes: see `limitsOver`.
 */
function limitEdits(given: GivenLimits, dialect: Dialect): readonly Edit[] {
  return limitFields.flatMap(field => {
    const { key, option } = limitTable[field]
    if (given[field] === undefined || given[field] === null || option === null || field === 'retries') return []
    const path = dialect.pathOfLimit(key)
    if (field === 'rate')
      return Object.entries(given.rate ?? {}).map(([provider, rate]) =>
        editAt([...path, provider], `--rate ${provider}=${formatRate(rate)}`, formatRate(rate)),
      )
    const written = limitsInFile({ ...defaultLimits(), [field]: given[field] })[key] ?? null
    return [editAt(path, `${longFlag(option.name)} ${shown(written)}`, written)]
  })
}

const editAt = (path: Path, option: string, value: Json): Edit => ({
  option,
  path,
  source: { value, spellingOf: () => null },
})

const shown = (given: Json): string => (typeof given === 'string' ? given : JSON.stringify(given))
