import { isSetUp } from '../../models/keys/access.ts'
import { modelFacts } from '../../models/model-facts.ts'
import { presets, providers } from '../../models/names/known-names.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { factsLines } from '../views/facts-table.ts'
import { styler } from '../views/style.ts'
import { tableLines } from '../views/table.ts'
import { chooseModels, routeParts } from './chosen-models.ts'

/** `assay models list`: what is known and set up; nobody is asked. */
export async function listModels(words: readonly string[], options: Options, io: Io): Promise<number> {
  const chosen = chooseModels(words, options, io)
  const parts = routeParts(chosen)
  const isOfExperiment = chosen.names !== null && chosen.names.length > 0
  const names = isOfExperiment ? chosen.names : [...new Set([...Object.keys(chosen.settings), ...Object.keys(presets)])]
  const models = await Promise.all(names.map(name => modelFacts(name, parts)))
  const known = Object.entries(providers).map(([name, { title, keys, settings }]) => ({
    name,
    title,
    variables: settings ?? keys,
    is_set_up: isSetUp(name, chosen.env),
  }))
  if (options.json) {
    writeJson(io.stdout, { kind: 'models', models, providers: known })
    return 0
  }
  writeLines(io.stdout, factsLines(models, io.stdout))
  if (!isOfExperiment) writeLines(io.stdout, ['', ...providerLines(known, io)])
  return 0
}

interface KnownProvider {
  readonly name: string
  readonly title: string
  readonly variables: readonly string[]
  readonly is_set_up: boolean
}

function providerLines(known: readonly KnownProvider[], io: Io): string[] {
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
