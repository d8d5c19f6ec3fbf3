import { assignment, text } from '../../parse-values.ts'
import { list, type OptionSpec, value } from './option.ts'

export const scenarioOptions = {
  branchFrom: value({
    group: 'Selection',
    value: 'run:turn',
    description: "continue from this turn of a scenario's run: a run of the batch, or the folder of any run",
    parse: text,
  }),
  with: list({
    group: 'Selection',
    value: 'path=value',
    description: 'change the scenario: turns=5 or actors.regulator.model=gpt-4o,gpt-4o-mini; repeatable',
    parse: assignment,
  }),
} as const satisfies Record<string, OptionSpec>
