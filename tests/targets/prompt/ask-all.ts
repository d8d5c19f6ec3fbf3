import { openExperiment } from '../../../src/define/load-experiment.ts'
import type { ModelAnswer, ModelCall } from '../../../src/models/model-call.ts'
import { planRuns } from '../../../src/plan/plan.ts'
import { applyAsserts } from '../../../src/targets/prompt/apply-asserts.ts'
import { scoreOf } from '../../../src/targets/prompt/asserts/check-assertion.ts'
import { converse } from '../../../src/targets/prompt/converse.ts'
import { questionOf } from '../../../src/targets/prompt/question.ts'
import { resolvedPrompt } from '../../../src/targets/prompt/resolved-prompt.ts'
import { promptSpec } from '../../../src/targets/prompt/spec.ts'
import { targets } from '../../../src/targets/registry.ts'
import { messageOf } from '../../../src/util/errors.ts'
import { folderWith } from '../../support/assay.ts'

export interface Asked {
  /** The prompt as it goes to the model: of several messages, each with its role. */
  readonly asked: string
  readonly passed: boolean | null
  readonly score: number | null
  readonly reason: string
}

/** An experiment of which only the target is written, asked of a model that answers with the prompt itself. */
export async function askAll(
  target: string,
  files: Readonly<Record<string, string>> = {},
  answer: Partial<ModelAnswer> = {},
): Promise<readonly Asked[] | string> {
  const indented = target.trimEnd().replaceAll('\n', '\n  ')
  const text = `name: e\norder: listed\ntarget:\n  kind: prompt\n  models: [sim/echo]\n  ${indented}\n`
  const folder = folderWith({ 'experiment.yaml': text, ...files })
  try {
    const { experiment } = openExperiment(`${folder}/experiment.yaml`, { targets, cwd: folder })
    const plan = { order: 'listed', seed: 1, selection: { filters: [], first: null, shard: null } } as const
    const whole = resolvedPrompt(promptSpec.parse(experiment.target))
    const found: Asked[] = []
    for (const run of planRuns(experiment, plan)) {
      const question = questionOf(whole, run)
      const signal = new AbortController().signal
      const client = { call: async (call: ModelCall) => echo(call, answer) }
      const conversation = await converse(question, client, signal)
      const held = await applyAsserts(whole, question, conversation, { client, folder, signal })
      const { score = null, passed = null } = scoreOf(held, question.test?.threshold ?? whole.threshold) ?? {}
      const sent = conversation.messages.slice(0, -1).map(({ role, content }) => `${role}: ${content}`)
      found.push({
        asked: sent.join(' | ').replace(/^user: (?!.* \| )/, ''),
        passed,
        score,
        reason: held.map(({ reason }) => reason).join('; '),
      })
    }
    return found
  } catch (error) {
    return messageOf(error).replaceAll(`${folder}/`, '')
  }
}

function echo({ messages }: ModelCall, answer: Partial<ModelAnswer>): ModelAnswer {
  return {
    text: String(messages.at(-1)?.content ?? ''),
    tool_calls: [],
    reasoning: [],
    finish: 'stop',
    usage: { input_tokens: 1, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
    cost_usd: 0.002,
    cost_from: 'simulated',
    saved_usd: null,
    latency_ms: 20,
    model_id: 'echo',
    provider: 'sim',
    tries: 1,
    is_cached: false,
    ...answer,
  }
}
