import type { Ablation } from '../../define/experiment.ts'
import { levelsIn, levelsOfName } from '../../define/levels.ts'
import { canonicalJson, type JsonObject } from '../../util/json.ts'
import { compileExpression, type Expression, type Scope } from '../expression/compile.ts'
import type { PlanPart } from '../plan-part.ts'
import { inDependencyOrder } from './dependency-order.ts'
import { attempt, type Path, type Report } from './problems.ts'

/** The rules that decide which parameters a variant has, and which variants there are. */
export interface Rules {
  /** Each after those that it depends on. */
  readonly conditions: readonly Condition[]
  readonly requirements: readonly Requirement[]
  readonly ablations: ReadonlyMap<string, Ablation>
}

/** A factor's `when`. */
export interface Condition {
  readonly factor: string
  readonly names: ReadonlySet<string>
  holds(scope: Scope): boolean
}

/** A constraint, or the opposite of an `exclude`. */
export interface Requirement {
  readonly label: string
  readonly names: ReadonlySet<string>
  holds(scope: Scope): boolean
}

export function rulesOf(experiment: PlanPart, report: Report): Rules {
  const names = { known: variantNames(experiment), elsewhere: blockNames(experiment) }
  return {
    conditions: conditionsOf(experiment, names, report),
    requirements: [
      ...experiment.constraints.flatMap((text, index) => constraint(text, ['constraints', index], names, report)),
      ...experiment.exclude.map((entry, index) => exclusion(entry, `exclude[${index}]`, experiment)),
    ],
    ablations: new Map(experiment.ablations.map(ablation => [ablation.name, ablation])),
  }
}

/** Every name that a variant may have, and thus every name that an expression about variants may use. */
export function variantNames(experiment: PlanPart): ReadonlySet<string> {
  return new Set([
    ...[...experiment.factors, ...experiment.zip.flat()].map(({ name }) => name),
    ...Object.keys(experiment.params),
    ...experiment.include.flatMap(Object.keys),
    ...experiment.ablations.flatMap(({ set }) => Object.keys(set)),
    'ablation',
  ])
}

/** The names that an expression about variants may use, and those that it might try to use. */
interface Names {
  readonly known: ReadonlySet<string>
  readonly elsewhere: ReadonlyMap<string, string>
}

const blockNames = ({ blocks }: PlanPart): Names['elsewhere'] =>
  new Map(
    blocks.map(({ name }) => [name, `${name} is a block: every block has all variants. Choose runs with --filter.`]),
  )

function conditionsOf(experiment: PlanPart, names: Names, report: Report): readonly Condition[] {
  const located = [
    ...experiment.factors.map(factor => ({ ...factor, path: ['factors', factor.name, 'when'] })),
    ...experiment.zip.flatMap((group, index) =>
      group.map(factor => ({ ...factor, path: ['zip', index, factor.name, 'when'] })),
    ),
  ]
  const conditions = located.flatMap(({ name: factor, when, path }) =>
    when === null
      ? []
      : compiled(when, path, names, report).map(({ names: reads, test }) => ({
          factor,
          path,
          names: reads,
          // If the answer is unknown, e.g. for the size of something absent, the factor doesn't apply.
          holds: (scope: Scope) => attempt(path, () => test(scope)) === true,
        })),
  )
  return inDependencyOrder(conditions, report)
}

/** As with CHECK in SQL, only false is refused: a constraint about an absent parameter doesn't apply. */
function constraint(text: string, path: Path, names: Names, report: Report): readonly Requirement[] {
  return compiled(text, path, names, report).map(({ names: reads, test }) => ({
    label: `${path.join(' ')}: ${text}`,
    names: reads,
    holds: scope => attempt(path, () => test(scope)) !== false,
  }))
}

function compiled(text: string, path: Path, names: Names, report: Report): readonly Expression[] {
  try {
    return [attempt(path, () => compileExpression(text, names.known, names.elsewhere))]
  } catch (error) {
    report(error)
    return []
  }
}

function exclusion(entry: JsonObject, label: string, experiment: PlanPart): Requirement {
  const excluded = Object.entries(entry).map(([name, given]) => ({
    name,
    texts: new Set(levelsIn(given, levelsOfName(name, experiment)).map(canonicalJson)),
  }))
  return {
    label: `${label}: ${canonicalJson(entry)}`,
    names: new Set(Object.keys(entry)),
    holds: scope => !excluded.every(({ name, texts }) => texts.has(canonicalJson(scope[name] ?? null))),
  }
}
