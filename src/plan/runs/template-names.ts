import type { Run } from '../../define/run.ts'
import { AssayError } from '../../util/errors.ts'
import { canonicalJson } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import { isNumber, placeholdersOf, seriesWord, templateWords } from '../identity.ts'
import type { PlanPart } from '../plan-part.ts'
import { variantNames } from '../variants/rules.ts'
import type { Plan } from './plan.ts'

/** Names by a template have no hash that makes them unique, so each is checked; a sweep larger than this needs hashes. */
const most = 100_000

/** File systems allow 255 bytes, and tools append to a name. */
const longest = 200

/** Refuses a template with unknown names, or one that gives two runs of the plan the same name. */
export function checkTemplateNames(experiment: PlanPart, plan: Plan): void {
  const { naming } = experiment
  if (!('template' in naming)) return
  checkPlaceholders(experiment, naming.template)
  const { count } = plan
  const at = (position: number): Run => plan.at(position)
  if (count > most)
    throw refused(
      `${count} runs are too many to be named by a template`,
      'Leave `naming` out: names then end in a hash.',
    )
  const seen = new Map<string, number>()
  for (let position = 0; position < count; position++) {
    const run = at(position)
    if (Buffer.byteLength(run.name) > longest)
      throw refused(`the name ${run.name} is longer than ${longest} bytes`, 'Name less of the parameters.')
    // Some file systems do not distinguish `A` and `a`.
    const name = run.name.toLowerCase()
    const earlier = seen.get(name)
    if (earlier !== undefined) throw sameName(at(earlier), run, naming.template)
    seen.set(name, position)
  }
}

export function checkPlaceholders(experiment: PlanPart, template: string): void {
  const blocks = experiment.blocks.map(({ name }) => name)
  const known = new Set([...variantNames(experiment), ...blocks, ...templateWords, seriesWord])
  for (const name of placeholdersOf(template))
    if (!known.has(name) && !isNumber(name))
      throw refused(
        `{${name}} is neither a parameter nor a block of this experiment`,
        didYouMean(name, known) ??
          `There are: ${[...known]
            .filter(word => word !== seriesWord)
            .sort()
            .join(', ')}.`,
      )
}

function sameName(first: Run, second: Run, template: string): AssayError {
  const names = new Set([first, second].flatMap(run => [...Object.keys(run.params), ...Object.keys(run.block)]))
  const level = (run: Run, name: string) => canonicalJson(run.params[name] ?? run.block[name] ?? null)
  const differing = [
    ...[...names].filter(name => level(first, name) !== level(second, name)),
    ...(first.ablation === second.ablation ? [] : ['ablation']),
    ...(first.replicate === second.replicate ? [] : ['replicate']),
  ]
  const called =
    first.name === second.name ? first.name : `${first.name} and ${second.name}, which some systems confuse`
  const named = placeholdersOf(template)
  const missing = differing.filter(name => !named.includes(name)).map(name => `{${name}}`)
  return refused(
    `two runs would be called ${called}; they differ in ${differing.join(', ')}`,
    missing.length === 0
      ? 'Put more between the braces, or leave `naming` out: names then end in a hash.'
      : `Add ${missing.join(' or ')} to the template.`,
  )
}

const refused = (message: string, hint: string): AssayError =>
  new AssayError('config', message, { hint, facts: { path: ['naming'] } })
