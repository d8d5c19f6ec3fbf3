import { taskFormats } from '../../../targets/task/task.ts'
import { text } from '../../parse-values.ts'
import { choice, type OptionSpec, value } from './option.ts'

export const tasksOptions = {
  taskFormat: choice({
    group: 'Selection',
    value: 'format',
    choices: taskFormats,
    description: 'only tasks of this format',
  }),
  repos: value({
    group: 'Selection',
    value: 'folder',
    description: 'a folder with clones of the repositories that SWE-bench instances name',
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>
