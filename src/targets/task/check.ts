import type { Experiment } from '../../define/experiment.ts'
import { levelsOfName } from '../../define/levels.ts'
import type { Problem } from '../../define/target.ts'
import { AssayError } from '../../util/errors.ts'
import { didYouMean } from '../../util/suggest.ts'
import { placeholdersIn } from '../command/template.ts'
import { agentNamed, agentPlaceholders } from './agents/agent-plan.ts'
import type { TaskSpec } from './spec.ts'

/** Unknown agents, and placeholders without a value. */
export function checkTask(spec: TaskSpec, experiment: Experiment): readonly Problem[] {
  return [...agentProblems(spec, experiment), ...placeholderProblems(spec, experiment)]
}

function agentProblems({ agents = {} }: TaskSpec, experiment: Experiment): readonly Problem[] {
  return levelsOfName('agent', experiment).flatMap((level): readonly Problem[] => {
    const path = ['factors', 'agent']
    if (typeof level !== 'string') return [{ path, message: 'expected the name of an agent' }]
    try {
      agentNamed(level, agents)
      return []
    } catch (error) {
      if (!(error instanceof AssayError)) throw error
      return [{ path, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) }]
    }
  })
}

function placeholderProblems(
  { agents = {} }: TaskSpec,
  { factors, zip, params, include }: Experiment,
): readonly Problem[] {
  const known = [
    ...agentPlaceholders,
    ...[...factors, ...zip.flat()].map(({ name }) => name),
    ...[params, ...include].flatMap(Object.keys),
  ]
  return Object.entries(agents).flatMap(([name, { command, env = {} }]) => {
    const texts = [
      ...command.map((text, at) => [text, ['command', at]] as const),
      ...Object.entries(env).map(([key, text]) => [text, ['env', key]] as const),
    ]
    return texts.flatMap(([text, at]) =>
      placeholdersIn(text)
        .filter(placeholder => !known.includes(placeholder))
        .map(placeholder => ({
          path: ['target', 'agents', name, ...at],
          message: `{${placeholder}} stands for nothing`,
          hint:
            didYouMean(placeholder, known) ??
            `known: ${known.map(one => `{${one}}`).join(', ')}; a brace itself is written {{`,
        })),
    )
  })
}
