import { backends } from '../../../process/sandbox/box.ts'
import { taskFormats } from '../../../targets/task/task.ts'
import { text, word } from '../../parse-values.ts'
import { choice, flag, list, type OptionSpec, value } from './option.ts'

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
  sandbox: choice({
    group: 'Tasks',
    value: 'backend',
    choices: ['auto', ...backends],
    description: 'how runs of tasks are isolated; process: not at all',
  }),
  provided: list({
    group: 'Tasks',
    value: 'step',
    description: 'a step of Dockerfiles that this machine makes unnecessary, as a pattern; repeatable',
    parse: text,
  }),
  agent: value({
    group: 'Tasks',
    value: 'name',
    description: 'the agent: assay, codex, claude, aider, gemini, oracle, nop, or one that the experiment describes',
    parse: text,
  }),
} as const satisfies Record<string, OptionSpec>

/** Which series of a benchmark is meant. */
export const rolloutsOptions = {
  latest: flag({ group: 'Selection', description: 'the newest series (the default)' }),
  rollout: value({
    group: 'Selection',
    value: 'stamp',
    description: 'the series with this stamp, or the newest that begins with it: 20250824__12-34-56, 20250824',
    parse: word,
  }),
} as const satisfies Record<string, OptionSpec>
