import type { Experiment } from '../../define/experiment.ts'
import { levelsOfName } from '../../define/levels.ts'
import type { Problem } from '../../define/target.ts'
import { didYouMean } from '../../util/suggest.ts'
import { placeholdersIn } from '../command/template.ts'
import { openingPlaceholders } from './opening.ts'
import { type AgentSettings, agentSettings, agentSettingsSchema } from './settings.ts'
import { settingNames } from './strategies/registry.ts'

/** Names that mean something to the agent, or to the tasks that it works on. */
const known: readonly string[] = [
  ...['model', 'overrides', 'apply_overrides', 'environment_variables'],
  ...Object.keys(agentSettings),
  ...settingNames,
]

/** Impossible levels of a setting, unknown names, and placeholders without a value. */
export function checkAgent(spec: AgentSettings, experiment: Experiment): readonly Problem[] {
  return [...nameProblems(experiment), ...levelProblems(experiment), ...templateProblems(spec)]
}

/** A factor without effect would be compared as if it had one. A user's own strategy may have further settings. */
function nameProblems(experiment: Experiment): readonly Problem[] {
  const isOwn = levelsOfName('strategy', experiment).some(
    name => typeof name === 'string' && /\.[cm]?[jt]s$/.test(name),
  )
  if (isOwn) return []
  const { factors, zip, params } = experiment
  const names = [
    ...[...factors, ...zip.flat()].map(({ name }) => ['factors', name] as const),
    ...Object.keys(params).map(name => ['params', name] as const),
  ]
  return names
    .filter(([, name]) => !known.includes(name.replaceAll('-', '_')))
    .map(([part, name]) => ({
      path: [part, name],
      message: `the agent has no setting "${name}"`,
      hint: didYouMean(name.replaceAll('-', '_'), known) ?? `known: ${known.join(', ')}`,
    }))
}

function levelProblems(experiment: Experiment): readonly Problem[] {
  return Object.entries(agentSettingsSchema.unwrap().shape).flatMap(([name, schema]) =>
    [name, name.replaceAll('_', '-')].flatMap(written =>
      levelsOfName(written, experiment).flatMap((level): readonly Problem[] => {
        const issue = schema.safeParse(level).error?.issues[0]
        return issue === undefined ? [] : [{ path: ['factors', written], message: issue.message }]
      }),
    ),
  )
}

function templateProblems(spec: AgentSettings): readonly Problem[] {
  const placeholders: readonly string[] = openingPlaceholders
  return (['system_template', 'instance_template'] as const).flatMap(name =>
    placeholdersIn(spec[name] ?? '')
      .filter(placeholder => !placeholders.includes(placeholder))
      .map(placeholder => ({
        path: ['target', name],
        message: `{${placeholder}} stands for nothing`,
        hint: `known: ${placeholders.map(one => `{${one}}`).join(', ')}; a brace itself is written {{`,
      })),
  )
}
