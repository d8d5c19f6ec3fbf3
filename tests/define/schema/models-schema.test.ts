import { expect, test } from 'vitest'
import { loadExperiment } from '../../../src/define/load-experiment.ts'
import { storedModels } from '../../../src/define/stored/stored-models.ts'
import { folderWith } from '../../support/assay.ts'
import { targets } from '../example.ts'

const base = 'name: x\ntarget: { kind: command, command: [echo] }\n'

function load(files: Record<string, string>) {
  const cwd = folderWith(files)
  return loadExperiment('experiment.yaml', { targets, cwd })
}

/** Its error, without the test's folder. */
function mistakes(models: string): string {
  const cwd = folderWith({ 'experiment.yaml': `${base}models:\n${models}` })
  try {
    loadExperiment('experiment.yaml', { targets, cwd })
    return ''
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(cwd, '') : ''
  }
}

test('settings of models are read, with durations and prices in their short forms', () => {
  const { models } = load({
    'experiment.yaml': `${base}models:
  mine: { provider: openai-compatible, address: 'http://127.0.0.1:8000/v1', key: MY_KEY, timeout: 2m, price: { input: 1, output: 2 } }
  tiered: { price: [ { above: 32000, input: 2, output: 4 }, { input: 1, output: 2 } ] }
  sim/clerk:
    latency: 300ms
    failures: { rate_limited: 0.1, retry_after: 2s }
    rules: [ { contains: hello, answer: hi }, { tool: { name: bash } } ]
`,
  })
  expect(models).toEqual({
    mine: {
      provider: 'openai-compatible',
      address: 'http://127.0.0.1:8000/v1',
      key: 'MY_KEY',
      timeout_ms: 120_000,
      price: [{ above: 0, input: 1, output: 2 }],
    },
    tiered: {
      price: [
        { above: 0, input: 1, output: 2 },
        { above: 32_000, input: 2, output: 4 },
      ],
    },
    'sim/clerk': {
      latency: { base_ms: 300, per_token_ms: 0, spread: 0 },
      failures: { rate_limited: 0.1, retry_after_ms: 2000 },
      rules: [{ contains: ['hello'], answer: 'hi' }, { tool: { name: 'bash', arguments: {} } }],
    },
  })
})

test('a script and several tool calls are read, and contradictory answers are refused', () => {
  const rules = [
    { after: 'bash', in: 'tool', contains: ['failed'], answer: 'again', tools: [{ name: 'bash', arguments: {} }] },
    {
      offers: 'bash',
      script: [{ reasoning: 'first', tool: { name: 'bash', arguments: { n: 1 } } }, { answer: 'done' }],
    },
    { try: 1, fail: 'rate_limited', tokens: { cached: 'prefix' } },
  ]
  const written = `${base}models: ${JSON.stringify({ 'sim/agent': { rules } })}\n`
  expect(load({ 'experiment.yaml': written }).models).toEqual({ 'sim/agent': { rules } })
  expect(storedModels.parse(JSON.parse(JSON.stringify({ 'sim/agent': { rules } })))).toEqual({ 'sim/agent': { rules } })
  const mistake = (rule: string): string => mistakes(`  a: { rules: [ ${rule} ] }\n`)
  expect(mistake('{ answer: x, json: 1 }')).toContain('expected only one of answer, one_of and json')
  expect(mistake('{ tool: { name: a }, tools: [ { name: b } ] }')).toContain('only one of tool and tools')
  expect(mistake('{ answer: x, script: [ { answer: y } ] }')).toContain('script: the answers are in its list')
  expect(mistake('{ script: [ { answer: y, turn: 2 } ] }')).toContain('unknown key "turn"')
  expect(mistake('{ tokens: { cached: much } }')).toContain('expected a number from 0 to 1, "prefix" or "marked"')
})

test('plans of simulated agents are read and stored, and contradictions are refused by name', () => {
  const agent = { mistakes: 0.1, strain: { from: 1000, per_1000: 0.01 }, summary: { words: 50, keeps: 0.5 } }
  const plan = {
    name: 'lamp',
    task: 'fix the lamp',
    facts: { bulb: { matches: 'bulb: (\\w+)', look: 'cat bulb', guess: 'B22' } },
    steps: ['ls', { name: 'buy', run: 'buy {bulb}', wrong: 'buy', needs: ['bulb'], expect: 'ok', else: 'step-1' }],
  }
  const { models } = load({
    'experiment.yaml': `${base}models: ${JSON.stringify({ 'sim/a': { agent, plans: [plan] } })}\n`,
  })
  const [read] = models?.['sim/a']?.plans ?? []
  expect(read?.steps).toEqual([
    { name: 'step-1', run: 'ls' },
    { name: 'buy', run: 'buy {bulb}', wrong: ['buy'], needs: ['bulb'], expect: 'ok', else: 'step-1' },
  ])
  expect(read?.facts?.bulb?.guess).toEqual(['B22'])
  expect(storedModels.parse(JSON.parse(JSON.stringify(models)))).toEqual(models)
  const mistake = (steps: string, more = ''): string =>
    mistakes(`  a: { plans: [ { name: x, task: y, steps: [ ${steps} ] ${more} } ] }\n`)
  expect(mistake('{ run: a, expect: b, else: c }')).toContain('no step is called "c"')
  expect(mistake('{ run: a, else: step-1 }')).toContain('"else" needs "expect"')
  expect(mistake('{ name: b, run: a }, { name: b, run: a }')).toContain('another step is called "b"')
  expect(mistake('{ name: submit, run: a }')).toContain('"submit" is what comes after the last step')
  expect(mistake('{ run: a, needs: [ b ] }')).toContain('no fact is called "b"')
  expect(mistake('ls', ', facts: { b: { matches: "(" } }')).toContain('expected a regular expression')
  expect(mistake('ls', '}, { name: x, task: z, steps: [ ls ]')).toContain('two plans have the same name')
  expect(mistakes('  a: { agent: { mistakes: 2 } }\n')).toContain('expected a number from 0 to 1, got 2')
})

test('they may be in a separate file, whose mistakes are reported with its name', () => {
  const { models } = load({
    'experiment.yaml': `${base}models: my-models.yaml\n`,
    'my-models.yaml': 'a: { price: free }\n',
  })
  expect(models).toEqual({ a: { price: 'free' } })
  expect(() => load({ 'experiment.yaml': `${base}models: m.yaml\n`, 'm.yaml': 'a: { prize: free }\n' })).toThrow(
    /m\.yaml:1:6 {2}a\.prize: unknown key "prize"/,
  )
})

test('mistakes are reported with their place', () => {
  expect(mistakes('  a: { price: cheap }\n')).toContain(
    'experiment.yaml:4:15  models.a.price: expected "free", a map such as',
  )
  expect(mistakes('  a: { temprature: 1 }\n')).toContain('unknown key "temprature"; did you mean "temperature"?')
  expect(mistakes('  a: { rules: [ { matches: "(" } ] }\n')).toContain(
    'models.a.rules.0.matches: expected a regular expression',
  )
  expect(mistakes('  a: { failures: { rate_limited: 2 } }\n')).toContain('expected a number from 0 to 1, got 2')
  expect(mistakes('  a: { address: "http://user:pass@host/v1" }\n')).toContain('without user name and password')
})

test('a key in the file is refused, and not repeated', () => {
  const said = mistakes('  a: { key: sk-abcdefghijklmnopqrstuvwxyz012345 }\n')
  expect(said).toContain('models.a.key: name the environment variable that holds the key, never the key itself')
  expect(said).not.toContain('sk-abc')
  expect(mistakes('  a: { key: sk_abcdefghijklmnopqrstuvwxyz012345 }\n')).toContain('this looks like a key')
})
