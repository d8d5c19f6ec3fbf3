import type { Experiment } from '../../define/experiment.ts'
import { type Outcome, stopReasonOf } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import type { Description, RunContext, Target } from '../../define/target.ts'
import { ModelError, outcomeOfModelError } from '../../models/model-error.ts'
import { behaviourOf } from '../../models/names/settings-of.ts'
import { messageOf } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { rehearsalIdentity, rehearsalNotes } from '../rehearsal.ts'
import { openRunModels } from '../run-models.ts'
import { applyAsserts } from './apply-asserts.ts'
import { NoScore, scoreOf } from './asserts/check-assertion.ts'
import { NoVerdict } from './asserts/judge.ts'
import { labelOf } from './cases/label.ts'
import { checkPrompt } from './check.ts'
import { completePrompt } from './complete.ts'
import { converse } from './converse.ts'
import { estimatePrompt } from './estimate.ts'
import { NoQuestion, questionOf } from './question.ts'
import { readyPrompt } from './ready.ts'
import { type ResolvedPrompt, resolvedPrompt } from './resolved-prompt.ts'
import { reportAnswer, reportTotals, traceScores, writeAnswer } from './result.ts'
import { type PromptSpec, promptSpec } from './spec.ts'
import { TemplateMistake } from './templates/nunjucks.ts'
import { placeholdersIn, UnknownVariable } from './templates/template.ts'
import { usedModels } from './used-models.ts'

/** A run is a question to a model, with its answer checked against asserts. */
export const promptTarget: Target<PromptSpec> = {
  kind: 'prompt',
  schema: promptSpec,
  complete: completePrompt,
  check: checkPrompt,
  ready: readyPrompt,
  identity,
  describe,
  bound: () => 'per_call',
  notes: (spec, experiment) => [...rehearsalNotes(spec, experiment), ...templateNotes(resolvedPrompt(spec))],
  estimate: estimatePrompt,
  execute,
}

/** A value that looks like a template is sent unchanged: promptfoo would fill it in. */
function templateNotes({ tests, vars }: ResolvedPrompt): readonly string[] {
  for (const own of [vars, ...tests.map(test => test.vars ?? {})])
    for (const [name, value] of Object.entries(own)) {
      const [inner] = typeof value === 'string' ? placeholdersIn(value) : []
      if (inner !== undefined && Object.hasOwn({ ...vars, ...own }, inner))
        return [
          `the value of {{${name}}} has {{${inner}}} in it, which is sent as it stands: values are no templates here`,
        ]
    }
  return []
}

/**
 * The part shared by all runs. Prompts, models and cases are levels: their contents are in the keys of the runs that
 * use them.
 */
function identity(spec: PromptSpec, experiment: Experiment): JsonObject {
  const { tests: _tests, prompts: _prompts, kind: _kind, ...rest } = resolvedPrompt(spec)
  const { judge } = usedModels(resolvedPrompt(spec), experiment)
  const judges = Object.fromEntries(judge.map(name => [name, behaviourOf(name, experiment.models ?? {})]))
  return plain({ ...rest, ...(judge.length > 0 && { judges }), ...rehearsalIdentity(experiment) })
}

const plain = (data: object): JsonObject => JSON.parse(JSON.stringify(data))

function describe(spec: PromptSpec, run: Run, _: unknown, experiment: Experiment): Description {
  try {
    const { model, turns } = questionOf(resolvedPrompt(spec), run)
    return {
      command: [model, ...turns.map(({ role, content }) => `${role}: ${content ?? '…'}`)],
      cwd: experiment.folder,
    }
  } catch (error) {
    return { command: [messageOf(error)], cwd: experiment.folder }
  }
}

async function execute(spec: PromptSpec, run: Run, context: RunContext): Promise<Outcome> {
  const whole = resolvedPrompt(spec)
  const models = openRunModels(run, context)
  const { client } = models
  let outcome: Outcome | undefined
  try {
    const question = questionOf(whole, run)
    const conversation = await converse(question, client, context.signal)
    const held = await applyAsserts(whole, question, conversation, {
      client,
      folder: context.experiment.folder,
      signal: context.signal,
    })
    writeAnswer(question, conversation, held, context)
    const score = scoreOf(held, question.test?.threshold ?? whole.threshold)
    const answer = { conversation, held, score, label: labelOf(question.test?.label) }
    reportAnswer(answer, context)
    traceScores(answer, models)
    outcome = { kind: 'completed' }
    return outcome
  } catch (error) {
    outcome = stopReasonOf(context.signal) ?? outcomeOf(error)
    return outcome
  } finally {
    reportTotals(client.totals(), context)
    await models.close(outcome)
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ModelError) return outcomeOfModelError(error)
  if (error instanceof NoVerdict) return { kind: 'infra_error', error_class: 'no_verdict', message: error.message }
  if (isOwnFault(error)) return { kind: 'failed', error_class: error.name, message: error.message }
  throw error
}

const isOwnFault = (error: unknown): error is Error =>
  error instanceof NoQuestion ||
  error instanceof UnknownVariable ||
  error instanceof TemplateMistake ||
  error instanceof NoScore
