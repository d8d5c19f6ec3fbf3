import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ModelAnswer, ModelCall } from '../../../src/models/model-call.ts'
import { ModelError } from '../../../src/models/model-error.ts'
import { askJudge, judgesOf, panelVerdict } from '../../../src/targets/prompt/asserts/judge.ts'
import { promptExperiment } from './support.ts'

const asked = { rubric: 'is polite', question: 'user: hi', answer: 'Hello', vars: { tone: 'dry' }, seed: 7 }
const { signal } = new AbortController()

/** Answers calls in turn, and keeps them. */
function answering(...replies: readonly (Partial<ModelAnswer> | ModelError)[]) {
  const calls: ModelCall[] = []
  return {
    calls,
    async call(call: ModelCall): Promise<ModelAnswer> {
      const reply = replies[calls.length]
      calls.push(call)
      if (reply instanceof ModelError || reply === undefined) throw reply
      return { text: '', tool_calls: [], ...reply } as ModelAnswer
    },
  }
}
const fault = (name: ModelError['fault']) =>
  new ModelError(name, `it ended as ${name}`, { model: 'm', provider: 'p', cost: 'as_used' })

describe('a judge', () => {
  it('is called with its settings: tokens, temperature, thinking, its own prompt', async () => {
    const [judge] = judgesOf(
      {
        judge: {
          model: 'm',
          temperature: null,
          max_output_tokens: 3000,
          reasoning: 'low',
          prompt: 'Grade {{output}} by {{rubric | upper}} in a {{tone}} tone',
        },
      },
      undefined,
    )
    const client = answering({ value: { reason: 'fine', score: 0.8, pass: true } })
    expect(judge && (await askJudge(judge, asked, client, signal))).toEqual({
      reason: 'fine',
      score: 0.8,
      passed: true,
    })
    expect(client.calls).toMatchObject([
      {
        model: 'm',
        max_output_tokens: 3000,
        reasoning: 'low',
        seed: 7,
        messages: [{ role: 'user', content: 'Grade Hello by IS POLITE in a dry tone' }],
      },
    ])
    expect(client.calls[0]).not.toHaveProperty('temperature')
  })

  it('that uses up its tokens by thinking is called again with more, and its JSON is found after its thoughts', async () => {
    const [judge] = judgesOf({}, 'm')
    const text = 'I think {"score": 0}\n</think>\nSo: {"reason": "polite", "score": 0.9, "pass": true}.'
    const client = answering(fault('empty_answer'), { text })
    expect(judge && (await askJudge(judge, asked, client, signal))).toEqual({
      reason: 'polite',
      score: 0.9,
      passed: true,
    })
    expect(client.calls.map(({ max_output_tokens, schema }) => [max_output_tokens, schema === undefined])).toEqual([
      [1024, false],
      [8192, true],
    ])
  })

  it('gives no verdict without valid output, and a missing recording does not count against it', async () => {
    const [judge] = judgesOf({}, 'm')
    if (judge === undefined) throw new Error('no judge')
    await expect(
      askJudge(judge, asked, answering(fault('malformed_answer'), fault('malformed_answer')), signal),
    ).rejects.toThrow('the judge m gave no verdict: it ended as malformed_answer')
    await expect(askJudge(judge, asked, answering({ text: 'good' }), signal)).rejects.toThrow('gave no verdict')
    const missing = answering(fault('missing_recording'))
    await expect(askJudge(judge, asked, missing, signal)).rejects.toMatchObject({ fault: 'missing_recording' })
    expect(missing.calls).toHaveLength(1)
  })

  it('can be several, or one called several times; the majority decides, and a tie does not pass', () => {
    expect(judgesOf({}, { model: ['a', 'b'], times: 2 }).map(({ name }) => name)).toEqual(['a', 'a#2', 'b', 'b#2'])
    expect(judgesOf({ judge: ['c'] }, 'a').map(({ name }) => name)).toEqual(['c'])
    const verdict = (judge: string, score: number) => ({ judge, score, passed: score >= 0.5, reason: '' })
    expect(panelVerdict([verdict('a', 1), verdict('b', 0.9), verdict('c', 0.2)])).toEqual({
      score: expect.closeTo(0.7),
      passed: true,
      reason: '2 of 3 judges pass it; a: pass; b: pass; c: fail',
    })
    expect(panelVerdict([verdict('a', 1), verdict('b', 0)]).passed).toBe(false)
  })
})

const panel = `
target:
  kind: prompt
  prompts: { p: "Say {{q}}" }
  models: [sim/echo]
  judge: { model: [sim/mild, sim/strict], temperature: 0.5 }
  tests: cases.csv
  assert: [{ type: llm-rubric, value: is fine }]
models:
  sim/mild: { price: free, rules: [{ json: { reason: ok, score: 1, passed: true } }] }
  sim/strict: { price: free, rules: [{ contains: "Say b", json: { reason: no, score: 0, passed: false } }, { json: { reason: ok, score: 1, passed: true } }] }
`
const cases = { 'cases.csv': 'q,__label\na,pass\nb,fail\nc,pass\nd,fail\n' }

it('shows the agreement of a panel’s judges with each other and with people', async () => {
  const e = promptExperiment(panel, cases)
  const { stdout } = await e.say(['run'])
  expect(stdout).toContain('sim/mild and sim/strict agree on 75% of 4 answers (kappa 0.00)')
  expect(stdout).toContain('sim/strict and human labels agree on 75% of 4 answers (kappa 0.50')
  expect(e.metrics().map(({ passed, label, 'judge:sim/strict': strict }) => [passed, label, strict])).toEqual([
    [1, 1, 1],
    [0, 0, 0],
    [1, 1, 1],
    [1, 0, 1],
  ])
  const report = await e.say(['report', e.dir, '--format', 'md', '--output', '-'])
  expect(report.stdout).toContain('sim/strict and human labels agree on 75% of 4 answers')
})

it('a recording without a judge’s call is one error before anything runs', async () => {
  const e = promptExperiment(panel, cases)
  await e.run('--record', 'tape')
  const tape = join(e.cwd, 'tape')
  const kept = readdirSync(tape, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.json'))
  const isJudged = (name: string) => readFileSync(join(tape, name), 'utf8').includes('is fine')
  expect(kept.filter(isJudged)).toHaveLength(8)
  expect((await e.run('--replay', 'tape', '--fresh')).status).toBe(0)
  const changed = await e.say(['run', '--replay', 'tape', '--exp-name', 'n', '--set', 'target.judge=sim/other'])
  expect(changed).toMatchObject({ status: 2 })
  expect(changed.stderr).toContain('4 of 4 runs make calls that are not in the recording')
  expect(changed.stderr).toContain('sim/other: this call is not in the recording')
})
