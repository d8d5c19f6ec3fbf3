import { describe, expect, it } from 'vitest'
import { askAll } from './ask-all.ts'

// Each feature as promptfoo 0.121 understands it, tried there with its provider `echo`: here it means the same, or is
// refused by name with the nearest thing that works. None is read as something else.

const vars = 'tests: [{ vars: { name: Ada, n: 3, data: { a: [1, 2] } } }]'
const p = (prompts: string) => `prompts: ${prompts}\n${vars}`
const paris = (asserts: string) => `prompts: [Paris is nice]\ntests: [{ vars: { x: 1 }, assert: [${asserts}] }]`
const json = (asserts: string, answer = '{"k": 1}') =>
  `prompts: ['${answer}']\ntests: [{ vars: { x: 1 }, assert: [${asserts}] }]`
const cell = (expected: string) => ({ 't.csv': `a,__expected\nhi,"${expected.replaceAll('"', '""')}"\n` })
const table = 'prompts: ["{{a}}"]\ntests: t.csv'

type Files = Readonly<Record<string, string>>
type Row = [feature: string, target: string, expected: readonly string[] | string, files?: Files]

describe('prompts', () => {
  it.each<Row>([
    ['a text file', p('[file://p.txt]'), ['Hi Ada'], { 'p.txt': 'Hi {{name}}\n' }],
    [
      '--- in a text file',
      p('[file://p.txt]'),
      ['One Ada', 'Two Ada'],
      { 'p.txt': 'One {{name}}\n---\nTwo {{name}}\n' },
    ],
    ['--- in the experiment', p('["One\\n---\\nTwo"]'), ['One\n---\nTwo']],
    ['--- in Markdown', p('[file://p.md]'), ['A\n---\nB'], { 'p.md': 'A\n---\nB\n' }],
    ['{ file: label }', p('{ p.txt: polite }'), ['Hi Ada'], { 'p.txt': 'Hi {{name}}' }],
    ['{ text: label }', p('{ "Hi {{name}}": polite }'), ['Hi Ada']],
    ['{ name: file }', p('{ polite: file://p.txt }'), ['Hi Ada'], { 'p.txt': 'Hi {{name}}' }],
    ['a path without file://', p('[p.txt]'), ['Hi Ada'], { 'p.txt': 'Hi {{name}}' }],
    ['a pattern of files', p('["file://*.txt"]'), ['A Ada', 'B Ada'], { 'a.txt': 'A {{name}}', 'b.txt': 'B {{name}}' }],
    ['{ id: file, label }', p('[{ id: file://p.txt, label: l }]'), ['Hi Ada'], { 'p.txt': 'Hi {{name}}' }],
    ['{ raw, label }', p('[{ raw: "Hi {{name}}", label: l }]'), ['Hi Ada']],
    ['{ raw: file, label }', p('[{ raw: file://p.txt, label: l }]'), ['Hi Ada'], { 'p.txt': 'Hi {{name}}' }],
    [
      'messages in JSON',
      p('[file://p.json]'),
      ['system: Be kind | user: Hi Ada'],
      {
        'p.json': '[{"role":"system","content":"Be kind"},{"role":"user","content":"Hi {{name}}"}]',
      },
    ],
    ['messages in YAML', p('[file://p.yaml]'), ['Hi Ada'], { 'p.yaml': '- role: user\n  content: Hi {{name}}\n' }],
    [
      'messages as a text',
      p(`['[{"role": "system", "content": "S"}, {"role": "user", "content": "{{name}}"}]']`),
      ['system: S | user: Ada'],
    ],
    [
      'messages in a text file',
      p('[file://p.txt]'),
      ['Hi Ada'],
      { 'p.txt': '[{"role": "user", "content": "Hi {{name}}"}]' },
    ],
    ['JavaScript', p('[file://p.js]'), 'p.js: code is not run here', { 'p.js': 'module.exports = () => 1' }],
    ['a function of a module', p('[file://p.js:greet]'), 'p.js:greet: code is not run here', { 'p.js': '1' }],
    ['Python', p('[p.py]'), 'p.py: code is not run here', { 'p.py': 'print(1)' }],
    ['a program', p('["exec:./make.sh"]'), 'prompts of programs and services are not read here'],
    [
      'a table of prompts',
      p('[file://p.csv]'),
      'p.csv: prompts are not read from a table',
      { 'p.csv': 'prompt\nHi\n' },
    ],
    ['JSONL of prompts', p('[file://p.jsonl]'), 'p.jsonl: prompts are not read from a table', { 'p.jsonl': '["Hi"]' }],
    ['config of a prompt', p('[{ raw: Hi, config: { temperature: 1 } }]'), 'config of a prompt is not done here'],
  ])('%s', tried)
})

describe('templates', () => {
  it.each<Row>([
    ['a filter', p('["{{name | upper}}"]'), ['ADA']],
    ['a default', p('["{{gone | default(\'d\')}}"]'), ['d']],
    ['dump', p('["{{data | dump}}"]'), ['{"a":[1,2]}']],
    ['a step into a list', p('["{{data.a[1]}}"]'), ['2']],
    ['{% if %}', p('["{% if n > 2 %}many{% else %}few{% endif %}"]'), ['many']],
    ['{% if %} of a variable that is not there', p('["Hi{% if gone %} {{gone}}{% endif %}"]'), ['Hi']],
    ['{% for %}', p('["{% for i in data.a %}{{i}},{% endfor %}"]'), ['1,2,']],
    ['{% set %}', p('["{% set y = 5 %}{{y}}"]'), ['5']],
    ['a comment', p('["a{# not sent #}b"]'), ['ab']],
    ['{% raw %}', p('["{% raw %}{{name}}{% endraw %}"]'), ['{{name}}']],
    ['an unknown filter', p('["{{name | shout}}"]'), 'there is no filter "shout"'],
    ['{% include %}', p('["{% include \'x.txt\' %}"]'), '{% include %} is not done: a template is one text'],
    ['a mistake', p('["{% if n %}"]'), 'the template is not understood'],
    ['{{env.HOME}}', p('["{{env.HOME}}"]'), 'the environment is not read into prompts'],
    ['a missing variable', p('["{{gone}}"]'), '{{gone}} of the prompt "prompt-1" has no value'],
    ['a missing variable with a filter', p('["{{gone | upper}}"]'), '{{gone}} of the prompt "prompt-1" has no value'],
    ['nunjucksFilters', `${p('[Hi]')}\nnunjucksFilters: { shout: ./f.js }`, 'nunjucksFilters are not done here'],
  ])('%s', tried)
})

describe('variables and cases', () => {
  const ab = 'prompts: ["{{a}} {{b}}"]'
  const a = 'prompts: ["{{a}}"]'
  it.each<Row>([
    ['lists of texts', `${ab}\ntests: [{ vars: { a: [1, 2], b: [x, y] } }]`, ['[1,2] x', '[1,2] y']],
    ['two lists', `${ab}\ntests: [{ vars: { a: [u, v], b: [x, y] } }]`, ['u x', 'u y', 'v x', 'v y']],
    ['lists for all cases', `${ab}\ntests: [{ vars: { a: 1 } }]\ndefaultTest: { vars: { b: [x, y] } }`, ['1 x', '1 y']],
    [
      'disableVarExpansion',
      `${a}\ntests: [{ vars: { a: [x, y] }, options: { disableVarExpansion: true } }]`,
      ['["x","y"]'],
    ],
    ['a text file', `${a}\ntests: [{ vars: { a: file://a.txt } }]`, ['text'], { 'a.txt': 'text\n' }],
    ['a YAML file', `${a}\ntests: [{ vars: { a: file://a.yaml } }]`, ['{"x":1}'], { 'a.yaml': 'x: 1\n' }],
    [
      'a pattern of files',
      `${a}\ntests: [{ vars: { a: "file://d/*.txt" } }]`,
      ['A', 'B'],
      { 'd/a.txt': 'A', 'd/b.txt': 'B' },
    ],
    ['JavaScript', `${a}\ntests: [{ vars: { a: file://a.js } }]`, 'a.js: code is not run here', { 'a.js': '1' }],
    ['a PDF', `${a}\ntests: [{ vars: { a: file://a.pdf } }]`, 'a.pdf: only text files are read here', { 'a.pdf': '1' }],
    ['vars from a file', `${a}\ntests: [{ vars: file://v.yaml }]`, 'expected', { 'v.yaml': 'a: 7\n' }],
    ['cases in YAML', `${a}\ntests: file://t.yaml`, ['7'], { 't.yaml': '- vars: { a: 7 }\n' }],
    [
      'cases in JSONL',
      `${a}\ntests: file://t.jsonl`,
      ['1', 'x', 'y'],
      { 't.jsonl': '{"vars":{"a":1}}\n{"vars":{"a":["x","y"]}}\n' },
    ],
    [
      'a pattern of case files',
      `${a}\ntests: ["t*.yaml"]`,
      ['7', '8'],
      { 't1.yaml': '- vars: { a: 7 }\n', 't2.yaml': '- vars: { a: 8 }\n' },
    ],
    [
      'cases from JavaScript',
      `${a}\ntests: file://t.js`,
      't.js: code that makes cases is not run here',
      { 't.js': '1' },
    ],
    ['cases from the web', `${a}\ntests: "https://example.org/t.csv"`, 'cases are read from files here'],
    [
      'prefix and suffix',
      `${a}\ntests: [{ vars: { a: 1 }, options: { prefix: "pre ", suffix: " post" } }]`,
      ['pre 1 post'],
    ],
    [
      'prefix and suffix for all',
      `${a}\ntests: [{ vars: { a: 1 } }]\ndefaultTest: { options: { prefix: "pre " } }`,
      ['pre 1'],
    ],
    ['__prefix and __suffix', table, ['<hi>'], { 't.csv': 'a,__prefix,__suffix\nhi,<,>\n' }],
    [
      'transformVars',
      `${a}\ntests: [{ vars: { a: 1 }, options: { transformVars: "({})" } }]`,
      'transformVars is not done here',
    ],
    [
      'storeOutputAs',
      `${a}\ntests: [{ vars: { a: 1 }, options: { storeOutputAs: x } }]`,
      'storeOutputAs is not done here',
    ],
    ['provider of a case', `${a}\ntests: [{ vars: { a: 1 }, provider: echo }]`, 'provider of a case is not done here'],
    ['scenarios', `${a}\nscenarios: [{ config: [] }]\ntests: [{ vars: { a: 1 } }]`, 'scenarios are not done here'],
    ['derivedMetrics', `${a}\nderivedMetrics: []\ntests: [{ vars: { a: 1 } }]`, 'derivedMetrics are not done here'],
    [
      'evaluateOptions',
      `${a}\nevaluateOptions: { repeat: 3 }\ntests: [{ vars: { a: 1 } }]`,
      'evaluateOptions is not done here; use replicates',
    ],
    [
      'assertionTemplates',
      `${a}\nassertionTemplates: {}\ntests: [{ vars: { a: 1 } }]`,
      'assertionTemplates are not done here',
    ],
    [
      'assertScoringFunction',
      `${a}\ntests: [{ vars: { a: 1 }, assertScoringFunction: file://s.js }]`,
      'assertScoringFunction is not done here',
    ],
  ])('%s', tried)
})

async function tried(
  _: string,
  target: string,
  expected: readonly string[] | string,
  files: Files = {},
): Promise<void> {
  const found = await askAll(target, files)
  if (typeof expected === 'string') expect(found).toEqual(expect.stringContaining(expected))
  else expect(typeof found === 'string' ? found : found.map(({ asked }) => asked)).toEqual(expected)
}

type Verdict = [feature: string, target: string, verdict: string, files?: Files]

describe('asserts', () => {
  it.each<Verdict>([
    ['equals', paris('{ type: equals, value: Paris is nice }'), 'pass 1'],
    ['equals a file', paris('{ type: equals, value: file://e.txt }'), 'pass 1', { 'e.txt': 'Paris is nice\n' }],
    ['equals data of a file', json('{ type: equals, value: file://e.json }'), 'pass 1', { 'e.json': '{"k":1}' }],
    ['contains a file', paris('{ type: contains, value: file://e.txt }'), 'fail 0', { 'e.txt': 'Rome' }],
    [
      'contains-all of a file',
      paris('{ type: contains-all, value: file://e.yaml }'),
      'pass 1',
      { 'e.yaml': '- Paris\n- nice\n' },
    ],
    ['a value from code', paris('{ type: equals, value: file://e.py }'), 'e.py: code is not run here', { 'e.py': '1' }],
    ['a template in a value', paris('{ type: not-contains, value: "{{ x | default(2) }}" }'), 'pass 1'],
    ['regex with look-ahead', paris('{ type: regex, value: "P(?=aris)" }'), 'pass 1'],
    ['not-icontains', paris('{ type: not-icontains, value: rome }'), 'pass 1'],
    ['levenshtein', paris('{ type: levenshtein, value: Paris is nicer, threshold: 2 }'), 'pass 1'],
    ['levenshtein too far', paris('{ type: levenshtein, value: Rome }'), 'fail 0'],
    ['is-json with a schema', json('{ type: is-json, value: { required: [z] } }'), 'fail 0'],
    [
      'is-json that holds',
      json('{ type: is-json, value: { required: [k], properties: { k: { type: number } } } }'),
      'pass 1',
    ],
    [
      'is-json with a file',
      json('{ type: is-json, value: file://s.json }'),
      'fail 0',
      { 's.json': '{"required":["z"]}' },
    ],
    ['is-json with YAML', json('{ type: is-json, value: "required: [z]" }'), 'fail 0'],
    ['is-json with a wrong schema', json('{ type: is-json, value: { type: nothing } }'), 'not a JSON Schema'],
    ['contains-json', json('{ type: contains-json }', 'Look: {"k": 1} ok'), 'pass 1'],
    [
      'contains-json with a schema',
      json('{ type: contains-json, value: { required: [z] } }', '{"k": 1} and {"z": 2}'),
      'pass 1',
    ],
    ['not-contains-json', paris('{ type: not-contains-json }'), 'pass 1'],
    ['javascript', paris('{ type: javascript, value: \'output.includes("Paris")\' }'), 'pass 1'],
    [
      'javascript of several lines',
      paris(
        '{ type: javascript, value: "const n = output.length\\nreturn { pass: n > 3, score: 0.4, reason: \'r\' }" }',
      ),
      'pass 0.4',
    ],
    ['javascript with context', paris('{ type: javascript, value: "context.vars.x === 1" }'), 'pass 1'],
    ['javascript with the prompt', paris('{ type: javascript, value: "context.prompt === output" }'), 'pass 1'],
    [
      'javascript with config',
      paris('{ type: javascript, value: context.config.k === 2, config: { k: 2 } }'),
      'pass 1',
    ],
    ['javascript that gives 0.5', paris('{ type: javascript, value: "0.5" }'), 'pass 0.5'],
    ['javascript that gives 0', paris('{ type: javascript, value: "0" }'), 'fail 0'],
    ['javascript below its threshold', paris('{ type: javascript, value: "0.5", threshold: 0.6 }'), 'fail 0.5'],
    ['javascript that gives 2', paris('{ type: javascript, value: "2" }'), 'a score is a number from 0 to 1'],
    ['javascript that gives a text', paris('{ type: javascript, value: "\'yes\'" }'), 'must return true or false'],
    ['javascript that is none', paris('{ type: javascript, value: "output ===" }'), 'Unexpected token'],
    [
      'javascript from a file that gives 0.5',
      paris('{ type: javascript, value: file://s.mjs }'),
      'pass 0.5',
      { 's.mjs': 'export default () => 0.5\n' },
    ],
    [
      'transform of an assert',
      paris('{ type: equals, value: PARIS IS NICE, transform: output.toUpperCase() }'),
      'pass 1',
    ],
    [
      'transform of a case',
      'prompts: [one]\ntests: [{ vars: { x: 1 }, options: { transform: output.toUpperCase() }, assert: [{ type: equals, value: ONE }] }]',
      'pass 1',
    ],
    [
      'postprocess',
      'prompts: [one]\ntests: [{ vars: { x: 1 }, options: { postprocess: output } }]',
      'postprocess is the old name of transform',
    ],
    [
      'assert-set',
      paris('{ type: assert-set, assert: [{ type: contains, value: Paris }, { type: contains, value: Rome }] }'),
      'fail 0.5',
    ],
    [
      'assert-set with a threshold',
      paris(
        '{ type: assert-set, threshold: 0.5, assert: [{ type: contains, value: Paris }, { type: contains, value: Rome }] }',
      ),
      'pass 0.5',
    ],
    [
      'assert-set with weights',
      paris(
        '{ type: assert-set, weight: 3, assert: [{ type: contains, value: Paris, weight: 2 }, { type: contains, value: Rome }] }, { type: contains, value: Paris }',
      ),
      'fail 0.75',
    ],
    ['weight 0', paris('{ type: contains, value: Paris }, { type: contains, value: Rome, weight: 0 }'), 'pass 1'],
    [
      'threshold of a case',
      'prompts: [Paris]\ntests: [{ vars: { x: 1 }, threshold: 0.5, assert: [{ type: contains, value: Paris }, { type: contains, value: Rome }] }]',
      'pass 0.5',
    ],
    [
      'defaultTest',
      'prompts: [A]\ntests: [{ vars: { x: 1 }, assert: [{ type: contains, value: A }] }]\ndefaultTest: { assert: [{ type: contains, value: B }] }',
      'fail 0.5',
    ],
    [
      'disableDefaultAsserts',
      'prompts: [A]\ntests: [{ vars: { x: 1 }, options: { disableDefaultAsserts: true } }]',
      'disableDefaultAsserts is not done here',
    ],
    ['cost', paris('{ type: cost, threshold: 0.01 }'), 'pass 1'],
    ['latency', paris('{ type: latency, threshold: 5 }'), 'fail 0'],
    ['finish-reason', paris('{ type: finish-reason, value: stop }'), 'pass 1'],
    ...[
      'similar',
      'rouge-n',
      'bleu',
      'python',
      'ruby',
      'webhook',
      'is-sql',
      'is-html',
      'is-xml',
      'is-refusal',
      'classifier',
      'moderation',
      'factuality',
      'model-graded-closedqa',
      'g-eval',
      'answer-relevance',
      'context-recall',
      'select-best',
      'max-score',
      'guardrails',
      'trace-span-count',
      'not-similar',
    ].map(
      (type): Verdict => [
        type,
        paris(`{ type: ${type}, value: x }`),
        `${type.replace('not-', '')} is an assert of promptfoo that is not done here`,
      ],
    ),
    ['a misspelt type', paris('{ type: contians, value: x }'), 'did you mean "contains"'],
  ])('%s', judged)
})

describe('a cell of __expected', () => {
  it.each<Verdict>([
    ['similar(0.8)', table, 'similar is an assert of promptfoo that is not done here', cell('similar(0.8): hello')],
    ['levenshtein(1)', table, 'pass 1', cell('levenshtein(1): ho')],
    [
      'is-json with a schema',
      table,
      'fail 0',
      { 't.csv': 'a,__expected\n"{""k"":1}","is-json: {""required"":[""z""]}"\n' },
    ],
    ['contains-json', table, 'pass 1', { 't.csv': 'a,__expected\n"{""k"":1}",contains-json\n' }],
    ['contains-all', table, 'pass 1', { 't.csv': 'a,__expected\n"x,y","contains-all: x,y"\n' }],
    ['fn:', table, 'code in a case file is not run', cell('fn: output.length === 2')],
    ['a file of code', table, 'code in a case file is not run', cell('file://s.js')],
    [
      '__metric and __threshold',
      table,
      'pass 0.5',
      { 't.csv': 'a,__expected,__expected2,__threshold,__metric\nhi,contains: hi,contains: ho,0.5,m\n' },
    ],
    [
      '__config',
      table,
      'column "__config:__expected:threshold" means nothing',
      { 't.csv': 'a,__config:__expected:threshold\nhi,1\n' },
    ],
  ])('%s', judged)
})

describe('tool calls', () => {
  const tools = `tools: [{ type: function, function: { name: find, parameters: { type: object, properties: { q: { type: string } }, required: [q] } } }]`
  const called = (asserts: string) =>
    `prompts: [Find Peru]\n${tools}\ntests: [{ vars: { x: 1 }, assert: [${asserts}] }]`
  it.each([
    ['is-valid-openai-tools-call', called('{ type: is-valid-openai-tools-call }'), { q: 'Peru' }, 'pass 1'],
    ['is-valid-openai-tools-call, wrong arguments', called('{ type: is-valid-openai-tools-call }'), { q: 7 }, 'fail 0'],
    [
      'tool-call-f1',
      called('{ type: tool-call-f1, value: [find, other], threshold: 0.6 }'),
      { q: 'Peru' },
      'pass 0.667',
    ],
    [
      'calls-tool',
      called('{ type: calls-tool, value: { name: find, arguments: { q: Peru } } }'),
      { q: 'Peru' },
      'pass 1',
    ],
    [
      'calls-tool with others',
      called('{ type: calls-tool, value: { name: find, arguments: { q: Chile } } }'),
      { q: 'Peru' },
      'fail 0',
    ],
    ['not-calls-tool', called('{ type: not-calls-tool, value: delete }'), { q: 'Peru' }, 'pass 1'],
  ])('%s', async (_, target, given, verdict) => {
    const tool_calls = [{ id: '1', name: 'find', arguments: given }]
    expect(verdictOf(await askAll(target, {}, { text: '', tool_calls }))).toBe(verdict)
  })
})

async function judged(_: string, target: string, verdict: string, files: Files = {}): Promise<void> {
  const found = verdictOf(await askAll(target, files))
  if (/^(pass|fail) /.test(verdict)) expect(found).toBe(verdict)
  else expect(found).toContain(verdict)
}

function verdictOf(found: Awaited<ReturnType<typeof askAll>>): string {
  if (typeof found === 'string') return found
  const [first] = found
  return first === undefined ? 'no run' : `${first.passed ? 'pass' : 'fail'} ${Number(first.score?.toFixed(3))}`
}

it('a cost assert checks the price, cached or not', async () => {
  const target = paris('{ type: cost, threshold: 0.01 }')
  const kept = { is_cached: true, cost_usd: 0, cost_from: 'cache', saved_usd: 0.02 } as const
  expect(verdictOf(await askAll(target, {}, kept))).toBe('fail 0')
  expect(verdictOf(await askAll(target, {}, { ...kept, saved_usd: 0.005 }))).toBe('pass 1')
  expect(await askAll(target, {}, { ...kept, saved_usd: null })).toMatchObject([
    { passed: false, reason: 'its price in USD is not known' },
  ])
})
