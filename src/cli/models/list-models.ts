import { modelFacts, type ProviderFacts, presetNames, providerFacts } from '../../models/model-facts.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { factsLines } from '../views/facts-table.ts'
import { styler } from '../views/style.ts'
import { tableLines } from '../views/table.ts'
import { chooseModels } from './chosen-models.ts'

/** `assay models list`: the known and configured models, without a call. */
export async function listModels(words: readonly string[], options: Options, io: Io): Promise<number> {
  const chosen = chooseModels(words, options, io)
  const isOfExperiment = chosen.names !== null && chosen.names.length > 0
  const names = isOfExperiment ? chosen.names : [...new Set([...Object.keys(chosen.settings), ...presetNames()])]
  const models = await Promise.all(names.map(name => modelFacts(name, chosen)))
  const known = providerFacts(chosen.env)
  if (options.json) {
    writeJson(io.stdout, { kind: 'models', models, providers: known })
    return 0
  }
  writeLines(io.stdout, factsLines(models, io.stdout))
  if (!isOfExperiment) writeLines(io.stdout, ['', ...providerLines(known, io)])
  return 0
}

function providerLines(known: readonly ProviderFacts[], io: Io): string[] {
  const rows = known
    .filter(({ name }) => name !== 'sim')
    .map(({ name, title, variables, is_set_up }) => [name, title, accessText(variables, is_set_up)])
  return tableLines(['provider', 'which', 'key'], rows, {
    columns: tableWidth(io.stdout),
    head: styler(io.stdout).bold,
  })
}

function accessText(variables: readonly string[], isSetUpNow: boolean): string {
  if (variables.length === 0) return 'none needed'
  return isSetUpNow ? `${variables[0]} is set` : `set ${variables[0]}`
}
