import type { Experiment } from '../../define/experiment.ts'
import { type Outcome, stopReasonOf } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import type { Description, RunContext, Target } from '../../define/target.ts'
import { ModelError, outcomeOfModelError } from '../../models/model-error.ts'
import { behaviourOf } from '../../models/names/settings-of.ts'
import { messageOf } from '../../util/errors.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import { rehearsalIdentity, rehearsalNotes } from '../rehearsal.ts'
import { openRunModels } from '../run-models.ts'
import { type CheckedAssertion, checkAssertion, NoScore, NoVerdict } from './asserts/check-assertion.ts'
import { checkPrompt } from './check.ts'
import { completePrompt } from './complete.ts'
import { type Conversation, converse } from './converse.ts'
import { estimatePrompt } from './estimate.ts'
import { NoQuestion, questionOf } from './question.ts'
import { readyPrompt } from './ready.ts'
import { resolvedPrompt } from './resolved-prompt.ts'
import { reportAnswer, reportTotals, scoreOf, traceScores, writeAnswer } from './result.ts'
import { type PromptSpec, promptSpec } from './spec.ts'
import { UnknownVariable } from './template.ts'
import { usedModels } from './used-models.ts'

/** A run is a question to a model, and its answer held to what was asked for. */
export const promptTarget: Target<PromptSpec> = {
  kind: 'prompt',
  schema: promptSpec,
  complete: completePrompt,
  check: checkPrompt,
  ready: readyPrompt,
  identity,
  describe,
  bound: () => 'per_call',
  notes: rehearsalNotes,
  estimate: estimatePrompt,
  execute,
}

/** What belongs to all runs alike. Prompts, models and cases are levels: their contents are in the keys of the runs that use them. */
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
    const asserts = [...whole.assert, ...(question.test?.assert ?? [])]
    const parts = {
      question,
      conversation,
      data: dataOf(conversation),
      judge: whole.judge,
      client,
      folder: context.experiment.folder,
      signal: context.signal,
    }
    const held: CheckedAssertion[] = []
    for (const assertion of asserts) held.push(await checkAssertion(assertion, parts))
    writeAnswer(question, conversation, held, context)
    const answer = { conversation, held, score: scoreOf(held, question.test?.threshold ?? whole.threshold) }
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

/** The answer as JSON: what the schema made of it, or what it is. */
function dataOf({ last }: Conversation): Json | undefined {
  // The model layer has parsed it from JSON.
  if (last.value !== undefined) return last.value as Json
  try {
    return JSON.parse(/^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s.exec(last.text)?.[1] ?? last.text)
  } catch {
    return undefined
  }
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ModelError) return outcomeOfModelError(error)
  if (error instanceof NoVerdict) return { kind: 'infra_error', error_class: 'no_verdict', message: error.message }
  if (error instanceof NoQuestion || error instanceof UnknownVariable || error instanceof NoScore)
    return { kind: 'failed', error_class: error.name, message: error.message }
  throw error
}
