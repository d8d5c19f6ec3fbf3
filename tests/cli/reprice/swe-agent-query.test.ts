import { expect, it } from 'vitest'
import { pricedModel } from '../../../src/models/model-facts.ts'
import { renderPrompt } from '../../../src/models/trajectory/trajectory.ts'
import { builtInStrategy } from '../../../src/targets/agent/strategies/registry.ts'
import { chatOf } from '../../models/trajectory/swe-agent-files.ts'
import { assay, folderWith } from '../../support/assay.ts'
import { historyOf, played } from '../../targets/agent/strategies/histories.ts'

const name = 'claude-sonnet-4-5'

/** As SWE-agent 1.x writes it: each step has its prompt as `query`, and the tokens of all calls are one sum. */
async function file(turns: number, factor: number) {
  const chosen = builtInStrategy('observation_masking', { hp_obs_n: 5 })
  if (chosen.problems !== undefined) throw new Error(chosen.problems[0]?.message)
  const planned = Array.from({ length: turns }, (_, at) => ({
    ...{ says: `turn ${at}`, outputs: [`line of ${at}\n`.repeat(40 + 7 * (at % 9))] },
  }))
  const prompts = played(chosen.strategy, planned)
    .slice(0, turns)
    .map(({ prompt, history: { messages, summaries } }) => renderPrompt(prompt, messages, summaries))
  const { sizeOf } = await pricedModel(name, { settings: {}, env: {} })
  const estimated = prompts.flat().reduce((sum, message) => sum + sizeOf(message), 0)
  const { messages } = historyOf(planned)
  const answers = messages.filter(({ role }) => role === 'assistant')
  const tokens_sent = Math.round(factor * estimated)
  const text = JSON.stringify({
    trajectory: answers.map(({ content }, at) => ({
      ...{ response: content, thought: content, action: `cmd ${at}`, observation: '', execution_time: 0.4, state: {} },
      query: prompts[at]?.map(chatOf),
    })),
    history: messages.map(chatOf),
    info: {
      exit_status: 'submitted',
      submission: 'diff --git a/a b/a\n+x\n',
      model_stats: { instance_cost: 0.5, tokens_sent, tokens_received: 40 * turns, api_calls: turns },
    },
    replay_config: JSON.stringify({
      agent: { model: { name }, history_processors: [{ type: 'last_n_observations', n: 5 }] },
    }),
    environment: 'main',
  })
  return { text, tokens_sent }
}

it('scales prompts in SWE-agent’s files to the provider’s total count', async () => {
  const [one, other] = [await file(24, 1.3), await file(40, 1.25)]
  const cwd = folderWith({ 'works/a/a.traj': one.text, 'works/b/b.traj': other.text })
  const line = ['reprice', 'works', '--strategy', 'raw,observation_masking', '--hp-obs-n', '5']
  const ended = await assay([...line, '--json'], { cwd })
  expect(ended.status, ended.stderr).toBe(0)
  const { models, notes, unread } = JSON.parse(ended.stdout)
  expect(unread).toEqual([])
  expect(models).toMatchObject([{ model: name }])
  const rows: readonly { instance: string; arm: string; input_tokens: number; turns: number }[] = models[0].instances
  const masked = rows.filter(({ arm }) => arm.startsWith('observation_masking'))
  expect(masked.map(({ instance, turns }) => [instance, turns])).toEqual([
    ['a', 24],
    ['b', 40],
  ])
  // Each message is rounded to whole tokens.
  for (const [at, { tokens_sent }] of [one, other].entries())
    expect(Math.abs((masked[at]?.input_tokens ?? 0) / tokens_sent - 1)).toBeLessThan(0.01)
  const raw = rows.filter(({ arm }) => arm === 'raw')
  for (const [at, { input_tokens }] of raw.entries())
    expect(input_tokens).toBeGreaterThan(masked[at]?.input_tokens ?? 0)
  expect(notes.join(' ')).toContain('scaled to what the provider counted')
})

it('estimates sizes if the total covers more calls than the file has prompts', async () => {
  const { text, tokens_sent } = await file(24, 1.3)
  const cwd = folderWith({ 'works/a.traj': text.replace('"api_calls":24', '"api_calls":30') })
  const ended = await assay(['reprice', 'works', '--strategy', 'observation_masking', '--hp-obs-n', '5', '--json'], {
    cwd,
  })
  const { models, notes } = JSON.parse(ended.stdout)
  expect(models[0].instances[0].input_tokens).toBeLessThan(tokens_sent / 1.2)
  expect(notes.join(' ')).toContain('estimated by a tokenizer')
})
