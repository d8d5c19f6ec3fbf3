import * as z from 'zod'
import { text } from '../../define/schema/parts.ts'
import { backends } from '../../process/sandbox/box.ts'
import { isRegExp } from '../../util/linear-regexp.ts'
import { agentSettingsSchema } from '../agent/settings.ts'
import { judgeSpec } from '../prompt/asserts/judge-schema.ts'
import { agentCommand } from './agents/agent-schema.ts'
import { pythonSlice } from './python.ts'

const multiplier = z.number().positive().describe('By how much the time limits of tasks are multiplied.')

const pattern = z.string().refine(isRegExp, { error: 'expected a regular expression' })

const slice = z
  .string()
  .refine(written => pythonSlice(written) !== null, { error: 'expected a Python slice such as ":5", "10:20" or "::2"' })

/** The part of an experiment that says how tasks are run. */
export const taskSpec = z.lazy(() =>
  z.strictObject({
    kind: z
      .literal('task')
      .describe('An agent works on a task in a sandbox; tests, a judge or both score what it leaves.'),
    tasks: z
      .union([text, z.array(text).min(1)])
      .optional()
      .describe(
        'Task folders, datasets (folders of tasks), SWE-bench .jsonl files, or patterns: the levels of the block `task`.',
      ),
    select: z
      .strictObject({
        shuffle: z
          .boolean()
          .default(false)
          .describe('Whether they are shuffled, as random.Random(shuffle_seed) does it.'),
        shuffle_seed: z.int({ error: 'expected a whole number' }).default(42),
        filter: pattern.optional().describe('Only tasks whose id this regular expression matches from its start.'),
        slice: slice.optional().describe('Which of them, as a Python slice: ":5", "10:20", "::2".'),
      })
      .optional()
      .describe('Which of the tasks are used, in this order: sorted by id, shuffled, filtered, sliced.'),
    agent: text
      .optional()
      .describe(
        'assay (the built-in one), codex, claude, aider, gemini, oracle, nop, or one of `agents`; or several as a factor `agent`. Default: codex if it is installed, else assay.',
      ),
    agents: z.record(text, agentCommand).optional().describe('Agents of your own, by name.'),
    assay: agentSettingsSchema.optional().describe('Settings of the built-in agent.'),
    sandbox: z
      .enum(['auto', ...backends])
      .default('auto')
      .describe('How runs are isolated. auto: docker, else podman, else bubblewrap. process: not at all.'),
    network: z
      .enum(['none', 'task'])
      .default('none')
      .describe('Whether a box has a network: none, or as the task allows. Models are reached without one.'),
    provided: z
      .array(text)
      .default([])
      .describe(
        'Steps of Dockerfiles that this machine makes unnecessary, as patterns: "pip3 install pytest*". They are skipped, and results say so.',
      ),
    env: z.record(text, z.string()).default({}).describe('Environment variables in the box, for agent and tests.'),
    judge: judgeSpec.optional().describe('The model, or the panel, that judges the rubrics of tasks.'),
    time: z
      .strictObject({
        all: multiplier.optional(),
        agent: multiplier.optional(),
        tests: multiplier.optional(),
        build: multiplier.optional(),
      })
      .default({})
      .describe('Multipliers of the time limits that tasks set: of all phases, or of one.'),
    repositories: text
      .optional()
      .describe('A folder with the repositories of SWE-bench tasks, as owner__name or owner/name.'),
    output_mb: z
      .number()
      .positive()
      .default(10)
      .describe('How much output of an agent is kept, in MB; the middle is cut.'),
  }),
)

export type TaskSpec = z.output<typeof taskSpec>
