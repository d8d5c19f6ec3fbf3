import type { Experiment } from '../../define/experiment.ts'
import type { Run } from '../../define/run.ts'
import type { RunEstimate } from '../../define/target.ts'
import type { Message, ModelCall } from '../../models/model-call.ts'
import { modelsToEstimate } from '../models-to-estimate.ts'
import { eachAssert, typeOf } from './asserts/assert-schema.ts'
import { judgeCall, judgesOf } from './asserts/judge.ts'
import { type Question, questionOf } from './question.ts'
import { resolvedPrompt } from './resolved-prompt.ts'
import type { PromptSpec } from './spec.ts'
import { fillJson, textOf } from './templates/template.ts'

/**
 * The cost of a run before it is made: prompts are counted, answers have the length that `tokens.output` of their model
 * declares. The maximum is what a run may reserve in total, without calls that are repeated after a fault.
 */
export async function estimatePrompt(spec: PromptSpec, run: Run, experiment: Experiment): Promise<RunEstimate> {
  const whole = resolvedPrompt(spec)
  const models = modelsToEstimate(experiment)
  const question = questionOf(whole, run)
  const judges = eachAssert([...whole.assert, ...(question.test?.assert ?? [])])
    .filter(one => typeOf(one).type === 'llm-rubric')
    .flatMap(one => {
      const asked = question.turns.map(({ role, content = '' }) => `${role}: ${content}`).join('\n\n')
      const about = {
        rubric: textOf(fillJson(one.value ?? '', question.vars)),
        question: asked,
        answer: '',
        vars: question.vars,
        seed: undefined,
      }
      return judgesOf(one, question.options.provider ?? whole.judge, question.options.rubricPrompt).map(judge =>
        judgeCall(judge, about),
      )
    })
  const parts = await Promise.all([
    ...callsOf(question).map(({ call, earlier }) => models.estimate(call, { count: earlier, model: question.model })),
    ...judges.map(call => models.estimate(call, { count: 1, model: question.model })),
  ])
  const sum = (pick: (part: RunEstimate) => number | null): number | null =>
    parts.reduce<number | null>((total, part) => {
      const usd = pick(part)
      return total === null || usd === null ? null : total + usd
    }, 0)
  return { usd: sum(part => part.usd), at_most_usd: sum(part => part.at_most_usd) }
}

/** Each answer of a conversation is a call, whose prompt contains the answers before it. */
function callsOf({
  turns,
  model,
  settings,
}: Question): readonly { readonly call: ModelCall; readonly earlier: number }[] {
  const messages: Message[] = []
  const calls: { call: ModelCall; earlier: number }[] = []
  const ask = () =>
    void calls.push({ call: { ...settings, model, messages: [...messages], purpose: 'answer' }, earlier: calls.length })
  for (const { role, content } of turns) {
    if (content !== undefined) messages.push({ role, content })
    else ask()
  }
  if (turns.at(-1)?.content !== undefined) ask()
  return calls
}
