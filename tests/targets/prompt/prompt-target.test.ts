import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith } from '../../support/assay.ts'
import { jsonOf } from '../../support/files.ts'
import { journalRows } from '../../support/journal.ts'
import { spansOf } from '../../support/otlp-receiver.ts'
import { problemsOfOtlp } from '../../support/valid-otlp.ts'
import { promptExperiment, sim } from './support.ts'

const capitals = `
target:
  kind: prompt
  prompts: { short: "Capital of {{country}}?", long: "Please name the capital of {{country}}." }
  models: [sim/m]
  tests: cases.csv
  assert: [{ type: icontains, value: "{{capital}}" }]
${sim('[{ contains: France, answer: Paris }, { contains: [Please, Peru], answer: "It is Lima." }, { answer: no idea }]')}
`
const cases = { 'cases.csv': 'country,capital\nFrance,Paris\nPeru,Lima\n' }

describe('prompts × models × cases', () => {
  it('calls, scores, and reports costs; factors, block and metrics follow from the target', async () => {
    const e = promptExperiment(capitals, cases)
    const { status, summary } = await e.run()
    expect([status, summary.completed]).toEqual([0, 4])
    expect(e.metrics().map(({ score, passed }) => [score, passed])).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
      [1, 1],
    ])
    // "Capital of France?" are 5 tokens, "Paris" 2; four of the message come on top.
    for (const { cost_usd, price_usd, input_tokens = 0, output_tokens = 0 } of e.metrics()) {
      expect(cost_usd).toBeCloseTo((input_tokens + 10 * output_tokens) / 1e6, 12)
      expect(price_usd).toBe(cost_usd)
    }
    const compared = await e.say(['compare', e.dir, '--control', 'prompt=short', '--candidate', 'prompt=long'])
    expect(compared.stdout).toContain('verdict: ')
    expect(compared.stdout).toContain('paired on 2 cases')
  })

  it('keeps the answer, its asserts with reasons, and a trace of the call', async () => {
    const e = promptExperiment(capitals, cases)
    await e.run('--first', '1')
    const [run = ''] = e.runs()
    expect(readFileSync(join(e.dir, 'runs', run, 'out/answer.txt'), 'utf8')).toBe('Paris\n')
    expect(e.answers()).toMatchObject([
      { prompt: 'short', model: 'sim/m', case: 'france', asserts: [{ type: 'icontains', reason: 'contains "Paris"' }] },
    ])
    expect(readFileSync(join(e.dir, 'runs', run, 'trace.jsonl'), 'utf8')).toContain('Capital of France?')
  })

  it('has scores as evaluation events of its span, without reasons if content is off', async () => {
    const exported = async (...options: string[]) => {
      const e = promptExperiment(capitals, cases)
      await e.run('--first', '2', ...options)
      const { stdout } = await e.say(['export', e.dir, '--format', 'otlp', '--output', '-'])
      const document = JSON.parse(stdout)
      expect(problemsOfOtlp(document)).toEqual([])
      return spansOf(document).filter(({ name }) => name.startsWith('run '))
    }
    const scores = (explanation?: string) => [
      {
        name: 'gen_ai.evaluation.result',
        facts: {
          'gen_ai.evaluation.name': 'icontains',
          'gen_ai.evaluation.score.value': 1,
          'gen_ai.evaluation.score.label': 'pass',
          ...(explanation !== undefined && { 'gen_ai.evaluation.explanation': explanation }),
        },
      },
      { facts: { 'gen_ai.evaluation.name': 'score', 'gen_ai.evaluation.score.value': 1 } },
    ]
    const [run, other] = await exported()
    expect(run).toMatchObject({ facts: { 'assay.outcome': 'completed' }, events: scores('contains "Paris"') })
    expect(other?.events[1]?.facts['gen_ai.evaluation.score.label']).toMatch(/^(pass|fail)$/)
    expect((await exported('--no-trace-content'))[0]?.events).toMatchObject(scores())
    expect(JSON.stringify(await exported('--no-trace-content'))).not.toContain('Paris')
  })

  it('repeats only calls of changed prompts, models or cases, and makes added ones', async () => {
    const e = promptExperiment(capitals, cases)
    await e.run()
    const edit = (file: string, from: string, to: string) => {
      const path = join(e.cwd, file)
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
    }
    edit('experiment.yaml', 'Please name', 'Please say')
    expect((await e.run()).summary).toMatchObject({ planned: 4, completed: 4, reused: 2, attempts: 6 })
    edit('cases.csv', 'Peru,Lima', 'Peru,LIMA\nChile,Santiago')
    expect((await e.run()).summary).toMatchObject({ planned: 6, completed: 6, reused: 2, attempts: 10 })
    edit('experiment.yaml', 'models: [sim/m]', 'models: [sim/m, sim/echo]')
    expect((await e.run()).summary).toMatchObject({ planned: 12, completed: 12, reused: 6 })
    const before = await e.say(['compare', e.dir, '--control', 'prompt=short', '--candidate', 'prompt=long', '--json'])
    // Runs of the prompt as it was are no part of it.
    expect(JSON.parse(before.stdout)).toMatchObject({ n: { pairs: 3 } })
    edit('experiment.yaml', 'no idea', 'whatever')
    expect((await e.run()).summary).toMatchObject({ planned: 12, reused: 6 })
  })

  it('a changed assert makes all runs stale, and repeating them costs nothing', async () => {
    const e = promptExperiment(capitals, cases)
    const first = await e.run()
    writeFileSync(
      join(e.cwd, 'experiment.yaml'),
      `${readFileSync(join(e.cwd, 'experiment.yaml'), 'utf8')}`.replace('icontains', 'contains'),
    )
    expect((await e.run()).status).toBe(2)
    const again = await e.run('--stale', 'rerun')
    expect(again.summary).toMatchObject({ completed: 4, attempts: 8, cost_usd: first.summary.cost_usd })
    for (const { cost_usd, price_usd, saved_usd } of e.metrics()) {
      expect(cost_usd).toBe(0)
      expect(price_usd).toBe(saved_usd)
      expect(price_usd).toBeGreaterThan(0)
    }
  })
})

describe('a prompt', () => {
  it('is a text, a file, or a conversation with answers in between', async () => {
    const e = promptExperiment(
      `
target:
  kind: prompt
  system: file://system.txt
  prompts:
    - file://prompts/plain.txt
    - label: talk
      messages:
        - { role: user, content: "Think of {{thing}}." }
        - { role: assistant }
        - { role: user, content: "Say it again." }
    - file://prompts/chat.yaml
  models: [sim/m]
  tests: [{ vars: { thing: file://thing.txt } }]
${sim('[{ turn: 2, answer: "again: {last}" }, { answer: "{last}" }]')}
`,
      {
        'system.txt': 'Be brief.\n',
        'thing.txt': 'a pear\n',
        'prompts/plain.txt': 'Name {{thing}}.\n',
        'prompts/chat.yaml': '- { role: system, content: Be long. }\n- { role: user, content: "Hm, {{thing}}" }\n',
      },
    )
    expect((await e.run()).summary).toMatchObject({ completed: 3 })
    const texts = e.runs().map(run => readFileSync(join(e.dir, 'runs', run, 'out/answer.txt'), 'utf8').trim())
    expect(texts.sort()).toEqual(['Hm, a pear', 'Name a pear.', 'again: Say it again.'])
    const prompts = journalRows<{ prompt: string }>(
      e.dir,
      "SELECT spec -> 'params' ->> 'prompt' AS prompt FROM runs ORDER BY id",
    )
    expect(prompts.map(({ prompt }) => prompt)).toEqual(['plain', 'talk', 'chat'])
    const traces = e.runs().map(run => readFileSync(join(e.dir, 'runs', run, 'trace.jsonl'), 'utf8'))
    expect(traces.filter(trace => trace.includes('Be brief.'))).toHaveLength(2)
    expect(traces.filter(trace => trace.includes('Be long.'))).toHaveLength(1)
    expect(traces.map(trace => trace.match(/"name":"chat /g)?.length).sort()).toEqual([1, 1, 2])
  })

  it('uses factors as variables, and temperature and the like as settings', async () => {
    const e = promptExperiment(`
target: { kind: prompt, prompts: ["Be {{tone}}: {{replicate}}"], models: [sim/m], max_output_tokens: 50 }
factors: { tone: [kind, curt], temperature: [0, 1] }
${sim('[{ answer: "{last}" }]')}
`)
    expect((await e.run()).summary).toMatchObject({ completed: 4 })
    const traces = e.runs().map(run => readFileSync(join(e.dir, 'runs', run, 'trace.jsonl'), 'utf8'))
    expect(
      traces.filter(trace => /gen_ai.request.temperature","value":\{"(int|double)Value":"?1/.test(trace)),
    ).toHaveLength(2)
    expect(traces.every(trace => trace.includes('"gen_ai.request.max_tokens","value":{"intValue":"50"}'))).toBe(true)
    // Nothing is asserted: there is nothing to score.
    expect(Object.keys(e.metrics()[0] ?? {}).sort()).toEqual([
      'cost_usd',
      'input_tokens',
      'latency_s',
      'output_tokens',
      'price_usd',
    ])
  })

  it('can request data: the answer is checked by a schema and read by path', async () => {
    const e = promptExperiment(
      `
target:
  kind: prompt
  prompts: { p: "Extract: {{text}}" }
  models: [sim/m]
  schema: person.json
  tests: [{ vars: { text: "Ada, 36" }, assert: [{ type: json-path, path: age, value: 36 }, { type: json-path, path: $.name, value: Ada }] }]
${sim('[{ json: { name: Ada, age: 36 } }]')}
`,
      {
        'person.json':
          '{ "type": "object", "properties": { "name": { "type": "string" }, "age": { "type": "integer" } }, "required": ["name", "age"], "additionalProperties": false }',
      },
    )
    expect((await e.run()).summary).toMatchObject({ completed: 1 })
    expect(e.metrics()).toMatchObject([{ score: 1, passed: 1 }])
  })
})

describe('scoring', () => {
  it('by a function of the user: true or false, a number, or score and reason; an error is no score', async () => {
    const e = promptExperiment(
      `
target:
  kind: prompt
  prompts: { p: "{{q}}" }
  models: [sim/m]
  tests: [{ id: short, vars: { q: ab } }, { id: long, vars: { q: abcdefgh } }, { id: broken, vars: { q: throw } }]
  assert:
    - { type: function, module: score.mjs, metric: brevity }
    - { type: javascript, value: "file://score.mjs:isText", weight: 0 }
${sim('[{ answer: "{last}" }]')}
limits: { retries: 0 }
`,
      {
        'score.mjs': `export default (answer, { vars }) => {
  if (vars.q === 'throw') throw new RangeError('can not score this')
  return { score: answer.length < 5 ? 1 : 0.25, reason: 'length ' + answer.length }
}
export const isText = answer => typeof answer === 'string'
`,
      },
    )
    const { status, summary } = await e.run()
    expect([status, summary.completed, summary.failed]).toEqual([1, 2, 1])
    expect(e.metrics().map(({ score, passed, brevity }) => [score, passed, brevity])).toEqual([
      [1, 1, 1],
      [0.25, 0, 0.25],
      [undefined, undefined, undefined],
    ])
    expect(e.outcomes().at(-1)).toMatchObject({
      outcome: 'failed',
      error_class: 'RangeError',
      message: 'function: can not score this',
    })
  })

  it('by a judge, whose cost counts separately', async () => {
    const e = promptExperiment(`
target:
  kind: prompt
  prompts: { p: "Greet {{name}}" }
  models: [sim/m]
  judge: sim/judge
  tests: [{ vars: { name: Ada } }, { vars: { name: Bob } }]
  assert: [{ type: llm-rubric, value: "greets {{name}} by name", threshold: 0.8 }]
models:
  sim/m: { price: { input: 1, output: 10 }, rules: [{ contains: Ada, answer: "Hello Ada" }, { answer: Hello }] }
  sim/judge:
    price: { input: 2, output: 20 }
    rules:
      - { purpose: judge, contains: ["Hello Ada", "by name"], json: { reason: it does, score: 0.9, passed: true } }
      - { purpose: judge, json: { reason: no name in it, score: 0.3, passed: true } }
`)
    expect((await e.run()).summary).toMatchObject({ completed: 2 })
    const metrics = e.metrics()
    expect(metrics.map(({ score, passed }) => [score, passed])).toEqual([
      [0.9, 1],
      [0.3, 0],
    ])
    for (const { cost_usd = 0, price_usd = 0, judge_usd = 0 } of metrics) {
      expect(judge_usd).toBeGreaterThan(price_usd)
      expect(cost_usd).toBeCloseTo(price_usd + judge_usd, 12)
    }
    expect(e.answers().map(answer => JSON.stringify(answer))).toEqual(
      expect.arrayContaining([expect.stringContaining('no name in it'), expect.stringContaining('it does')]),
    )
  })

  it('a judge without verdict gives no bad score: the run is an infrastructure error', async () => {
    const e = promptExperiment(`
target:
  kind: prompt
  prompts: { p: hello }
  models: [sim/m]
  assert: [{ type: llm-rubric, value: is polite, judge: sim/judge }]
models:
  sim/m: { price: free, rules: [{ answer: hi }] }
  sim/judge: { price: free, rules: [{ json: { reason: hm, score: 11, passed: true } }] }
limits: { retries: { infra_error: 0, failed: 0 } }
`)
    const { summary } = await e.run()
    expect(summary.completed).toBe(0)
    expect(e.metrics()[0]).not.toHaveProperty('score')
    expect(e.outcomes()).toMatchObject([{ outcome: 'infra_error' }])
  })
})

describe('cached answers', () => {
  const asking = `
target: { kind: prompt, prompts: { p: "Draw {{n}}" }, models: [sim/m], tests: [{ vars: { n: 1 } }, { vars: { n: 2 } }] }
replicates: 2
${sim('[{ answer: "{integer 1..1000000}" }]')}
`
  const answersOf = (e: ReturnType<typeof promptExperiment>, dir = e.dir) =>
    Object.fromEntries(
      e.runs().map(run => [run, readFileSync(join(dir, 'runs', run, 'out/answer.txt'), 'utf8').trim()]),
    )

  it('replicates are independent; the same run reuses its answers for free, unless told not to', async () => {
    const e = promptExperiment(asking)
    const first = await e.run()
    const answers = answersOf(e)
    expect(new Set(Object.values(answers)).size).toBe(4)
    const again = await e.run('--fresh')
    expect(again.summary.cost_usd).toBe(first.summary.cost_usd)
    expect(answersOf(e)).toEqual(answers)
    expect((await e.run('--fresh', '--no-cache')).summary.cost_usd).toBeCloseTo(2 * Number(first.summary.cost_usd), 12)
  })

  it('a new series calls again, with its own cached answers', async () => {
    const e = promptExperiment(
      `target: { kind: prompt, prompts: { p: "Question {{n}}" }, models: [sim/m], tests: [{ vars: { n: 1 } }] }\n${sim('[{ answer: ok }]')}\n`,
    )
    const paid = async (...args: string[]) => Number((await e.run(...args)).summary.cost_usd)
    expect(await paid()).toBeGreaterThan(0)
    expect(await paid('--exp-name', 'other')).toBe(0)
    expect(await paid('--again')).toBeGreaterThan(0)
    expect(await paid('--again')).toBeGreaterThan(0)
  })

  it.each(['--record', '--replay'])('%s is refused if assay makes no calls', async option => {
    const cwd = folderWith({ 'experiment.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\n' })
    expect(await assay(['run', option, 'tape'], { cwd })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${option}: a target of kind "command" calls no models through assay`),
    })
  })

  it('--record stores all answers in a folder, --replay returns them without a provider', async () => {
    const e = promptExperiment(asking)
    const recorded = await e.run('--record', 'tape')
    const answers = answersOf(e)
    writeFileSync(
      join(e.cwd, 'experiment.yaml'),
      readFileSync(join(e.cwd, 'experiment.yaml'), 'utf8').replace('name: e', 'name: other'),
    )
    const replayed = await e.say(['run', '--json', '--replay', 'tape'])
    expect(replayed.status).toBe(0)
    const other = { ...e, dir: join(e.cwd, 'results/other') }
    expect(Object.values(answersOf(e, other.dir)).sort()).toEqual(Object.values(answers).sort())
    expect(journalRows(other.dir, 'SELECT spent_usd FROM experiment')).toEqual([{ spent_usd: 0 }])
    expect(Number(recorded.summary.cost_usd)).toBeGreaterThan(0)
    writeFileSync(
      join(e.cwd, 'experiment.yaml'),
      readFileSync(join(e.cwd, 'experiment.yaml'), 'utf8').replace('Draw', 'Pick'),
    )
    const missing = await e.say(['run', '--json', '--replay', 'tape', '--exp-name', 'third'])
    expect(missing.status).toBe(2)
    expect(missing.stdout).toContain(`4 of 4 runs make calls that are not in the recording ${e.cwd}/tape`)
    expect((await e.say(['run', '--replay', 'gone'])).stderr).toContain(`there is no recording in ${e.cwd}/gone`)
    expect((await e.say(['run', '--record', 'a', '--replay', 'b'])).stderr).toContain(
      '--record and --replay contradict each other',
    )
  })

  it('--rehearse simulates every model at its real price, in a separate marked directory', async () => {
    const e = promptExperiment(`
target: { kind: prompt, prompts: { p: "Say something about {{n}}" }, models: [gpt-4o-mini], tests: [{ vars: { n: 1 } }, { vars: { n: 2 } }], max_output_tokens: 100 }
limits: { budget_usd: 1 }
`)
    const rehearsed = await e.say(['run', '--rehearse', '--json'], { OPENAI_API_KEY: '' })
    expect(rehearsed.status).toBe(0)
    expect(rehearsed.stdout).toContain('this is a rehearsal')
    const dir = join(e.cwd, 'results/e-rehearsal')
    const [money] = journalRows<{ spent_usd: number }>(dir, 'SELECT spent_usd FROM experiment')
    expect(money?.spent_usd).toBeGreaterThan(0)
    expect(existsSync(e.dir)).toBe(false)
    expect((await e.say(['run', dir, '--rehearse'])).stderr).toContain('--rehearse needs the configuration file')
  })
})

describe('traces', () => {
  const secret = 'the moon is made of cheese'
  const e = () =>
    promptExperiment(`
target: { kind: prompt, prompts: { p: "${secret}" }, models: [sim/m], assert: [{ type: contains, value: cheese }] }
${sim('[{ answer: "{last}" }]')}
`)
  const filesOf = async (...args: string[]) => {
    const experiment = e()
    await experiment.run('--no-cache', ...args)
    const [run = ''] = experiment.runs()
    const read = (name: string) => {
      const file = join(experiment.dir, 'runs', run, name)
      return existsSync(file) ? readFileSync(file, 'utf8') : null
    }
    return { trace: read('trace.jsonl'), text: read('out/answer.txt'), facts: read('out/answer.json') }
  }

  it('have prompts and answers, or only facts, or don’t exist', async () => {
    expect((await filesOf()).trace).toContain(secret)
    const facts = await filesOf('--no-trace-content')
    expect(facts.trace).toContain('gen_ai.usage.input_tokens')
    expect(JSON.stringify(facts)).not.toContain('cheese')
    expect(facts.text).toBeNull()
    expect((await filesOf('--no-trace')).trace).toBeNull()
    expect((await filesOf('--no-weave')).trace).toBeNull()
  })
})

describe('mistakes are reported before any call', () => {
  const problem = async (rest: string, files = {}) => {
    const e = promptExperiment(rest, files)
    const ended = await e.say(['run'])
    return { status: ended.status, said: complaint(ended, e) }
  }

  it.each([
    [
      'target: { kind: prompt, prompts: { p: "{{contry}}" }, models: [sim/m], tests: [{ vars: { country: Peru } }] }',
      '{{contry}} of the prompt "p" has no value',
    ],
    ['target: { kind: prompt, prompts: { p: hi }, tests: [{ vars: { a: 1 } }] }', 'no model is given'],
    ['target: { kind: prompt, prompts: { p: hi }, models: [sim/m], tests: gone.csv }', 'gone.csv: no such file'],
    ['target: { kind: prompt, prompts: [file://gone.txt], models: [sim/m] }', 'gone.txt: no such file'],
    [
      'target: { kind: prompt, prompts: { p: hi }, models: [sim/m], assert: [{ type: regex, value: "(" }] }',
      'Invalid regular expression',
    ],
    [
      'target: { kind: prompt, prompts: { p: hi }, models: [sim/m], assert: [{ type: llm-rubric, value: x }] }',
      'llm-rubric needs a model that judges',
    ],
    [
      'target: { kind: prompt, prompts: { p: hi }, models: [sim/m], assert: [{ type: function, module: gone.ts }] }',
      'there is no file',
    ],
    [
      'target: { kind: prompt, prompts: { p: hi }, models: [sim/m], tests: [{ vars: { a: 1 } }, { vars: { a: 1 } }] }',
      'cases 1 and 2 are the same',
    ],
    [
      'target: { kind: prompt, prompts: { p: hi }, models: [sim/m] }\nfactors: { prompt: [q] }',
      'there is no prompt "q"',
    ],
    [
      'target: { kind: prompt, prompts: { p: hi }, models: [sim/m], providers: [sim/m] }',
      '"providers" means the same as "models"',
    ],
  ])('%s', async (rest, message) => {
    const { status, said } = await problem(rest)
    expect([status, said]).toEqual([2, expect.stringContaining(message)])
    expect(said).toContain('experiment.yaml:')
  })
})

it('plan shows routes and prices of models, and the cost of the runs', async () => {
  const e = promptExperiment(
    `
target: { kind: prompt, prompts: { p: "Count {{n}}" }, models: [sim/m, gpt-4o-mini], tests: [{ vars: { n: 1 } }], max_output_tokens: 100 }
models: { sim/m: { price: { input: 1, output: 10 }, tokens: { output: 20 } } }
`,
  )
  const { stdout } = await e.say(['plan'], { OPENAI_API_KEY: '' })
  expect(stdout).toMatch(/sim\/m +simulated +none needed +1 +10/)
  expect(stdout).toMatch(/gpt-4o-mini +OpenAI +OPENAI_API_KEY missing/)
  expect(stdout).toMatch(/cost of 2 runs: at most \$0\.001/)
  const document = JSON.parse((await e.say(['plan', '--json', '--filter', 'model=sim/m'])).stdout)
  // 8 tokens of input at most, 20 of output.
  expect(document.estimate.usd).toBeGreaterThan(0.0002)
  expect(document.estimate.usd).toBeLessThan(0.00022)
  expect(document.estimate.at_most_usd).toBeGreaterThan(0.001)
  await e.run('--filter', 'model=sim/m')
  expect(jsonOf(join(e.dir, 'summary.json'))).toMatchObject({ completed: 1 })
})
