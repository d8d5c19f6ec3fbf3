import * as z from 'zod'
import { agentTools, defaultTraits, type SimAgent, type SimPlan, type SimPlanStep } from '../models/model-settings.ts'
import { regex, share, text, wholeNumberAbove0, wholeNumberFrom0 } from './parts.ts'

const { mistakes, guesses, notes, patience, words, keeps } = defaultTraits

export const simAgent: z.ZodType<SimAgent> = z.lazy(() =>
  z
    .strictObject({
      mistakes: share
        .optional()
        .describe(`How likely a step that has "wrong" commands goes wrong. Default ${mistakes}.`),
      strain: z
        .strictObject({
          from: wholeNumberFrom0.describe('Tokens of the prompt that do no harm.'),
          per_1000: share.describe('How much likelier mistakes are for each 1,000 tokens beyond.'),
        })
        .optional()
        .describe('How a long prompt adds to its mistakes. Default: not at all.'),
      guesses: share
        .optional()
        .describe(
          `How likely it guesses a fact that it can't see any more, instead of looking again. Default ${guesses}.`,
        ),
      notes: share
        .optional()
        .describe(
          `How likely it writes a fact down when it sees it; notes stay when outputs are hidden. Default ${notes}.`,
        ),
      patience: wholeNumberAbove0
        .optional()
        .describe(`How often it tries a step before it goes on regardless. Default ${patience}.`),
      summary: z
        .strictObject({
          words: wholeNumberFrom0.optional().describe(`Words of a summary, at least. Default ${words}.`),
          keeps: share.optional().describe(`How likely a fact is still in the summary. Default ${keeps}.`),
        })
        .optional()
        .describe('How it answers calls with the purpose "summary".'),
    })
    .describe('How well a simulated model works through its plans.'),
)

const name = z.string().regex(/^[\w-]+$/, { error: 'expected a name of letters, digits, "_" and "-"' })
const command = text.describe('A shell command; {name} is the value of that fact.')
const commands = z.lazy(() =>
  z.union([command.transform(one => [one]), z.array(command).min(1)], {
    error: 'expected a command or a list of commands',
  }),
)

const fact = z.lazy(() =>
  z
    .strictObject({
      matches: regex.describe('Finds the fact in an output; the first group is its value.'),
      look: text.optional().describe('A command that shows it again. Without one it is guessed.'),
      guess: z
        .union([z.string().transform(one => [one]), z.array(z.string()).min(1)], {
          error: 'expected a text or a list of texts',
        })
        .optional()
        .describe('What it is wrongly thought to be. Without one, the step that needs it goes wrong.'),
    })
    .describe('Something that outputs tell, known only as long as it is in the prompt.'),
)

const fullStep = z.lazy(() =>
  z.strictObject({
    name: name.optional().describe('By which "else" finds it. Default: step-1, step-2, …'),
    run: command,
    say: text.optional().describe('What is said with it.'),
    wrong: commands
      .optional()
      .describe('What is run instead when it goes wrong; {run} is its command. Of several, one is drawn.'),
    needs: z.array(name).optional().describe('Facts that it needs besides those in its command.'),
    expect: regex.optional().describe('What the output must match; otherwise the agent goes to "else".'),
    else: name.optional().describe('The step to go to. Default: the same again.'),
  }),
)

const step = z.lazy(() =>
  z.union([command.transform((run): z.output<typeof fullStep> => ({ run })), fullStep], {
    error: 'expected a command, or a map with run, wrong, needs, expect, else',
  }),
)

const simPlan = z.lazy(() =>
  z
    .strictObject({
      name: name.describe('How the agent calls it in its own words.'),
      task: regex.describe('Finds the instruction that the plan is for.'),
      facts: z.record(name, fact).optional(),
      steps: z.array(step).min(1).describe('In order; after the last one the agent submits.'),
    })
    .transform(
      ({ steps, ...plan }): SimPlan => ({
        ...plan,
        steps: steps.map((one, index): SimPlanStep => ({ ...one, name: one.name ?? `step-${index + 1}` })),
      }),
    )
    .superRefine((plan, context) => {
      for (const [path, message] of problemsOf(plan)) context.addIssue({ code: 'custom', path: [...path], message })
    })
    .describe('How a simulated agent solves one task, by real commands.'),
)

export const simPlans = z.lazy(() =>
  z
    .array(simPlan)
    .refine(plans => new Set(plans.map(plan => plan.name)).size === plans.length, {
      error: 'two plans have the same name',
    })
    .describe(
      'Tasks that a simulated agent can solve: the first plan whose "task" fits counts; without one, its rules.',
    ),
)

type PlanProblem = readonly [path: readonly (string | number)[], message: string]

function problemsOf({ steps, facts = {} }: SimPlan): readonly PlanProblem[] {
  const names = steps.map(one => one.name)
  return steps.flatMap((one, index): readonly PlanProblem[] => {
    const at = ['steps', index]
    const missing = one.needs?.find(needed => !Object.hasOwn(facts, needed))
    return [
      ...problem([...at, 'name'], names.indexOf(one.name) < index, `another step is called "${one.name}"`),
      ...problem([...at, 'name'], one.name === agentTools.submit, '"submit" is what comes after the last step'),
      ...problem(
        [...at, 'else'],
        one.else !== undefined && !names.includes(one.else),
        `no step is called "${one.else}"`,
      ),
      ...problem([...at, 'else'], one.else !== undefined && one.expect === undefined, '"else" needs "expect"'),
      ...problem([...at, 'needs'], missing !== undefined, `no fact is called "${missing}"`),
    ]
  })
}

const problem = (path: PlanProblem[0], holds: boolean, message: string): readonly PlanProblem[] =>
  holds ? [[path, message]] : []
