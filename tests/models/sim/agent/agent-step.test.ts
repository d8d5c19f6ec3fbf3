import { expect, test } from 'vitest'
import type { ModelSetting, SimAgent, SimPlan, SimPlanStep } from '../../../../src/define/models/model-settings.ts'
import type { Message } from '../../../../src/models/model-call.ts'
import { simulate } from '../../../../src/models/sim/simulate.ts'
import { asked, drive, masked } from './driver.ts'

const step = (name: string, more: Partial<SimPlanStep> = {}): SimPlanStep => ({ name, run: `run ${name}`, ...more })
const reads = (count: number): readonly SimPlanStep[] => Array.from({ length: count }, (_, at) => step(`read-${at}`))

const agentWith = (steps: readonly SimPlanStep[], more: Partial<SimPlan> = {}, agent: SimAgent = {}): ModelSetting => ({
  plans: [{ name: 'lamp', task: 'fix the lamp', steps, ...more }],
  agent,
})

/** A file with the type of the bulb, and commands without output. */
const house = (command: string): string => (command === 'cat bulb' ? 'bulb: E27' : 'fine')
const bulb = { bulb: { matches: 'bulb: (\\w+)', look: 'cat bulb', guess: ['B22'] } }
const longWork = (agent: SimAgent = {}): ModelSetting =>
  agentWith([step('see', { run: 'cat bulb' }), ...reads(6), step('buy', { run: 'buy {bulb}' })], { facts: bulb }, agent)
const commands = (setting: ModelSetting, options: Partial<Parameters<typeof drive>[1]> = {}): readonly string[] =>
  drive(setting, { shell: house, ...options }).turns.map(turn => turn.command)

test('goes through its plan and submits, whatever braces its commands have', () => {
  const { turns, has_submitted } = drive(agentWith([step('a', { run: 'echo {last} {1} ${x}' }), step('b')]), {
    shell: house,
  })
  expect(turns.map(turn => turn.command)).toEqual(['echo {last} {1} ${x}', 'run b'])
  expect(turns[0]?.text).toContain('[lamp/a]')
  expect(has_submitted).toBe(true)
})

test('continues if the output is as expected, and otherwise goes to another step', () => {
  const setting = agentWith([step('edit'), step('test', { expect: 'OK', else: 'edit' }), step('done')])
  let edits = 0
  const shell = (command: string): string => {
    if (command === 'run edit') edits++
    return command === 'run test' && edits < 3 ? 'FAILED' : 'OK'
  }
  expect(commands(setting, { shell }).join()).toBe('run edit,run test,run edit,run test,run edit,run test,run done')
  const { turns } = drive({ ...setting, agent: { patience: 2 } }, { shell: () => 'FAILED' })
  expect(turns.map(turn => turn.command).at(-1)).toBe('run done')
  expect(turns.at(-2)?.text).toContain('[lamp/test, try 2]')
})

test('uses a fact while the prompt shows it, and looks it up again otherwise', () => {
  const raw = commands(longWork())
  expect(raw.at(-1)).toBe('buy E27')
  const hidden = drive(longWork(), { shell: house, shown: masked(3) })
  expect(hidden.turns.map(turn => turn.command).slice(-2)).toEqual(['cat bulb', 'buy E27'])
  expect(hidden.turns).toHaveLength(raw.length + 1)
  expect(hidden.turns.at(-2)?.text).toContain('looks for bulb')
})

test('keeps a noted fact when the output is hidden', () => {
  const noted = drive(longWork({ notes: 1 }), { shell: house, shown: masked(1) })
  expect(noted.turns.map(turn => turn.command)).toEqual(commands(longWork()))
  expect(noted.turns[1]?.text).toContain('note bulb = "E27"')
})

test('guesses a wrong fact, and guesses one that can’t be found', () => {
  expect(commands(longWork({ guesses: 1 }), { shown: masked(1) }).at(-1)).toBe('buy B22')
  const facts = { ...bulb, socket: { matches: 'socket: (\\w+)', look: 'cat socket' } }
  const buy = step('buy', { run: 'buy {bulb}', needs: ['socket'], wrong: ['buy anything'] })
  expect(commands(agentWith([step('a'), buy], { facts }), { shell: () => 'nothing' })).toEqual([
    'run a',
    'cat bulb',
    'cat socket',
    'buy anything',
  ])
})

test('looks up several facts one by one even if only one result is shown', () => {
  const facts = Object.fromEntries(
    ['a', 'b', 'c'].map(name => [name, { matches: `${name}: (\\w+)`, look: `cat ${name}` }]),
  )
  const shell = (command: string): string => `${command.slice(-1)}: value${command.slice(-1)}`
  const setting = agentWith([...reads(3), step('use', { run: 'use {a} {b} {c}' })], { facts })
  expect(commands(setting, { shell, shown: masked(1) }).at(-1)).toBe('use valuea valueb valuec')
})

test('makes mistakes at the declared rate, more often in longer prompts', () => {
  const rate = (agent: SimAgent, instruction = 'Fix the lamp.'): number => {
    const setting = agentWith([step('edit', { wrong: ['{run} badly'] })], {}, agent)
    const seeds = Array.from({ length: 400 }, (_, seed) => commands(setting, { seed, instruction })[0])
    return seeds.filter(command => command === 'run edit badly').length / seeds.length
  }
  expect(rate({})).toBe(0)
  expect(rate({ mistakes: 0.2 })).toBeGreaterThan(0.13)
  expect(rate({ mistakes: 0.2 })).toBeLessThan(0.27)
  const strain = { from: 1000, per_1000: 0.1 }
  expect(rate({ mistakes: 0.2, strain })).toBe(rate({ mistakes: 0.2 }))
  const long = rate({ mistakes: 0.2, strain }, `Fix the lamp. ${'x'.repeat(16_000)}`)
  expect(long).toBeGreaterThan(0.42)
  expect(long).toBeLessThan(0.58)
})

test('the same seed makes the same mistakes under every strategy, whatever times outputs show', () => {
  const steps = Array.from({ length: 12 }, (_, at) => step(`edit-${at}`, { wrong: [`{run} badly`, `{run} worse`] }))
  const setting = agentWith(steps, {}, { mistakes: 0.5 })
  let clock = 0
  const shell = (): string => `took ${clock++} ms`
  const first = commands(setting, { shell })
  expect(commands(setting, { shell })).toEqual(first)
  expect(commands(setting, { shell, shown: masked(2) })).toEqual(first)
  expect(commands(setting, { shell, seed: 2 })).not.toEqual(first)
})

test('a summary has the progress and keeps facts at the declared rate, and is enough to continue', () => {
  const { messages } = drive(longWork(), { shell: house, most: 5 })
  const told = messages.map(({ role, content }) => `${role}: ${content}`).join('\n')
  const summary = (agent: SimAgent, seed = 1): string =>
    simulate(asked([{ role: 'user', content: told }], { purpose: 'summary', tools: [], seed }), longWork(agent)).text
  const whole = summary({ summary: { words: 200, keeps: 1 } })
  expect(whole).toContain('note bulb = "E27"')
  expect(whole.split(/\s+/).length).toBeGreaterThanOrEqual(200)
  expect(whole.split(/\s+/).length).toBeLessThan(210)
  expect(summary({ summary: { keeps: 0 } })).not.toContain('E27')
  const kept = Array.from({ length: 200 }, (_, seed) => summary({ summary: { keeps: 0.3 } }, seed))
  const share = kept.filter(text => text.includes('E27')).length / kept.length
  expect(share).toBeGreaterThan(0.2)
  expect(share).toBeLessThan(0.4)
  const after = (text: string): readonly string[] => {
    const shown = (history: readonly Message[]): readonly Message[] => [
      ...history.slice(0, 2),
      { role: 'assistant', content: text },
      ...history.slice(2),
    ]
    return commands(longWork(), { shown })
  }
  expect(after(whole)).toEqual(['run read-4', 'run read-5', 'buy E27'])
  expect(after(summary({ summary: { keeps: 0 } }))).toEqual(['run read-4', 'run read-5', 'cat bulb', 'buy E27'])
})

test('looks again at an output that was summarised before judging it', () => {
  const setting = agentWith([step('edit'), step('test', { expect: 'OK', else: 'edit' })])
  const messages: Message[] = [
    { role: 'user', content: 'Fix the lamp.' },
    { role: 'assistant', content: 'CURRENT_STATE: [lamp/test]' },
  ]
  expect(simulate(asked(messages), setting).tool_calls[0]?.arguments).toEqual({ command: 'run test' })
})

test('another instruction in the same conversation begins another plan', () => {
  const plans = [
    { name: 'lamp', task: 'fix the lamp', steps: [step('a')] },
    { name: 'door', task: 'paint the door', steps: [step('b')] },
  ]
  const { messages } = drive({ plans }, { shell: house })
  const next = simulate(asked([...messages, { role: 'user', content: 'Now paint the door.' }]), { plans })
  expect(next.text).toContain('[door/b]')
})

test('answers calls without a plan by rules', () => {
  const setting = { ...longWork(), rules: [{ answer: 'a rule' }] }
  expect(simulate(asked([{ role: 'user', content: 'Fix the lamp.' }], { tools: [] }), setting).text).toBe('a rule')
  expect(simulate(asked([{ role: 'user', content: 'Cook.' }]), setting).text).toBe('a rule')
  const summary = asked([{ role: 'user', content: 'nothing of ours' }], { purpose: 'summary', tools: [] })
  expect(simulate(summary, setting).text).toBe('a rule')
})
