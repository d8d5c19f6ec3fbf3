import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readScenario } from '../../../../src/targets/scenario/formats/read-scenario.ts'
import { assembleFiles } from '../../../../src/targets/scenario/formats/scenario-files.ts'
import type { Scenario } from '../../../../src/targets/scenario/scenario.ts'
import { folderWith } from '../../../support/assay.ts'

const plain = {
  's/scenario.yaml': 'name: S\ninitial_world_state: Begin.\nturns: 3\nactors: [a, b]\n',
  's/actors/a.yaml': 'name: Anna\nshort_name: a\nmodel: sim/a\n',
  's/actors/b.yaml': 'name: Ben\nshort_name: b\n',
}

const read = (files: Readonly<Record<string, string>>) => readScenario('s', folderWith({ ...plain, ...files }))

function scenarioOf(files: Readonly<Record<string, string>>): Scenario {
  const { files: found, problems } = read(files)
  expect(problems).toEqual([])
  const scenario = found === null ? null : assembleFiles(found).scenario
  if (scenario === null) throw new Error('no scenario')
  return scenario
}

describe('a scenario folder', () => {
  it('is one plain value with every default filled in', () => {
    expect(scenarioOf({})).toMatchObject({
      ...{
        name: 'S',
        turns: 3,
        context_window: 3,
        talks_per_turn: 2,
        has_coalitions: false,
        success: null,
        until: null,
      },
      actors: [
        { name: 'Anna', short_name: 'a', model: 'sim/a' },
        { short_name: 'b', model: 'openai/gpt-4o-mini' },
      ],
      world_state_model: 'openai/gpt-4o-mini',
      ...{ metrics: [], events: [], checks: null },
    })
  })

  it('accepts other names of keys, and both forms of the length', () => {
    expect(
      scenarioOf({ 's/scenario.yaml': 'name: S\ninitial_world_state: B\nnum_turns: 4\ncontext_window: 2\n' }),
    ).toMatchObject({ turns: 4, context_window: 2 })
    const length =
      'name: S\ninitial_world_state: B\nscenario_length: { type: condition, turns: 9, condition: "turn >= 5" }\n'
    expect(scenarioOf({ 's/scenario.yaml': length })).toMatchObject({ turns: 9, until: 'turn >= 5' })
    const parameters = 'name: S\ninitial_world_state: B\nparameters: { max_turns: 10, turn_duration: 1 month }\n'
    expect(scenarioOf({ 's/scenario.yaml': parameters })).toMatchObject({ turns: 10, turn_duration: '1 month' })
  })

  it('reads every form of actor descriptions', () => {
    const { actors } = scenarioOf({
      's/actors/a.yaml': `name: Anna
short_name: a
llm_model: m
goals: |
  My goals:
  - First
  - Second
    and more
constraints: [One]
expertise: [{ policy: expert }, { law: low }]
decision_making_style: Slow.
personality_traits: [calm]
private_information: |
  A secret.
information_access: { public: true, private: [Another secret] }
`,
      's/actors/b.yaml':
        'name: Ben\nshort_name: b\nlong_term_goals: [Win]\nexpertise: { level: medium, areas: [plants, soil] }\ncontrol: ai\n',
    })
    expect(actors).toMatchObject([
      {
        ...{
          goals: ['My goals:', 'First', 'Second\nand more'],
          constraints: ['One'],
          expertise: ['policy: expert', 'law: low'],
          decision_style: 'Slow.',
        },
        ...{ personality: ['calm'], private_information: ['A secret.', 'Another secret'] },
      },
      { goals: ['Win'], expertise: ['level: medium', 'areas: plants; soil'] },
    ])
  })

  it('switches parts off by features', () => {
    const off = `name: S
initial_world_state: B
turns: 2
features:
  communications: { enabled: false }
  exogenous_events: { enabled: false }
  metrics_extraction: { enabled: false }
  quality_assurance: { enabled: false }
  context_management: { enabled: false, max_context_tokens: 8000 }
`
    const files = {
      's/scenario.yaml': off,
      's/metrics.yaml': 'metrics: { m: { extraction_method: regex, pattern: "(\\\\d+)" } }\n',
      's/exogenous-events.yaml': 'exogenous_events: [{ type: scheduled, name: E, turn: 1 }]\n',
      's/validation-rules.yaml': 'checks: { world_state_coherence: { enabled: true } }\n',
    }
    expect(scenarioOf(files)).toMatchObject({
      talks_per_turn: 0,
      metrics: [],
      events: [],
      checks: null,
      context_window: null,
    })
    expect(read(files).notes.join('\n')).toContain('max_context_tokens changes nothing')
  })

  it('is also found in definition/, with events beside it', () => {
    const cwd = folderWith({
      's/definition/scenario.yaml': plain['s/scenario.yaml'],
      's/definition/actors/a.yaml': plain['s/actors/a.yaml'],
      's/definition/actors/b.yaml': plain['s/actors/b.yaml'],
      's/exogenous-events.yaml': 'exogenous_events: [{ type: scheduled, name: E, description: Rain., turn: 2 }]\n',
    })
    const { files, problems } = readScenario('s', cwd)
    expect(problems).toEqual([])
    expect(files && assembleFiles(files).scenario?.events).toMatchObject([
      { name: 'E', when: { kind: 'scheduled', at: [2] } },
    ])
  })
})

describe('metrics.yaml', () => {
  const metricsOf = (text: string) => scenarioOf({ 's/metrics.yaml': text }).metrics

  it('is read in its old form, whose types are int, integer, float, bool, boolean and string', () => {
    const found = metricsOf(`scenario_name: S
metrics:
  level: { description: How much, extraction_method: regex, pattern: "cooperation.*?(\\\\d+)", type: int }
  yes: { type: boolean, extraction_method: regex, pattern: agreed }
  hers: { type: string, extraction_method: regex, pattern: "says (.*)", actor_specific: true, actor: Anna }
  byhand: { type: integer, extraction_method: manual }
`)
    expect(found).toMatchObject([
      { name: 'level', type: 'integer', from: { kind: 'actions_and_world' }, extraction: { kind: 'pattern' } },
      { name: 'yes', type: 'boolean' },
      { name: 'hers', from: { kind: 'actor', actor: 'a' } },
    ])
    expect(read({ 's/metrics.yaml': 'metrics: { m: { extraction_method: manual } }\n' }).notes.join()).toContain(
      'm: filled in by hand',
    )
  })

  it('is read in its new forms', () => {
    const found = metricsOf(`extraction_model: sim/reader
metrics:
  - { name: trust, type: continuous, range: [0, 10], extraction: { type: llm, prompt: Trust? } }
  - { name: words, extraction_type: keyword, data_type: integer, aggregation: sum, keywords: [peace] }
  - { name: path, type: categorical, categories: [race, slow], extraction: { type: regex, patterns: ["path (\\\\w+)", "(race)"] } }
  - { name: dues, type: float, actor_specific: true, extraction: { type: line } }
thresholds: { words: { warning: 3, critical: 5 } }
export_format: json
`)
    expect(found).toMatchObject([
      {
        name: 'trust',
        type: 'float',
        from: { kind: 'world' },
        extraction: { kind: 'model', model: 'sim/reader', prompt: 'Trust?' },
      },
      { name: 'words', type: 'integer', aggregation: 'sum', warning: 3, critical: 5, extraction: { scoring: 'count' } },
      { name: 'path', extraction: { patterns: ['path (\\w+)', '(race)'] } },
      { name: 'dues', from: { kind: 'each_actor' } },
    ])
  })
})

describe('exogenous-events.yaml', () => {
  it('is read in both shapes', () => {
    const { events } = scenarioOf({
      's/metrics.yaml': 'metrics: { trust: { type: int, extraction_method: regex, pattern: "(\\\\d)" } }\n',
      's/exogenous-events.yaml': `exogenous_events:
  - { type: trend, name: T, description: Up., frequency: 3, turn_range: [1, 60] }
  - { type: random, name: R, description: Bang., probability: 0.1, once: false }
  - { type: conditional, name: C, description: Cry., conditions: { trust: "< 3" } }
  - { type: scheduled, name: S, description: Vote., turn: 2 }
trends:
  - name: hype
    description: Media
    probability_per_turn: 0.3
    effects: [{ turn_range: [1, 3], description: Praise, impact: More }, { turn_range: [4, 6], description: Blame }]
random_events: [{ name: grant, description: Money, probability: 0.2, turn_range: [2, 6], effect: 50 M }]
conditional_events:
  - name: backlash
    conditions: [{ type: world_state_contains, pattern: "police|net", sensitivity: proposed }, { type: metrics, metric: trust, operator: ">", value: 5 }]
    effect: Petition
scheduled_events: [{ name: review, schedule: { turns: [3, 6] }, effect: Budget }]
`,
    })
    expect(events).toMatchObject([
      { name: 'T', once: false, when: { kind: 'trend', frequency: 3, probability: 1, turns: [1, 60] } },
      { name: 'R', once: false, when: { kind: 'random', probability: 0.1 } },
      { name: 'C', once: true, when: { kind: 'conditional', conditions: [{ expression: 'trust < 3' }] } },
      { name: 'S', when: { kind: 'scheduled', at: [2] } },
      {
        effects: [
          { turns: [1, 3], text: 'Media Praise More' },
          { turns: [4, 6], text: 'Media Blame' },
        ],
      },
      { effects: [{ turns: null, text: 'Money 50 M' }], when: { turns: [2, 6] } },
      { when: { conditions: [{ kind: 'world', patterns: ['police|net', 'proposed'] }, { expression: 'trust > 5' }] } },
      { name: 'review', when: { at: [3, 6] } },
    ])
  })
})

describe('mistakes in a scenario', () => {
  it.each([
    [
      'an unknown key',
      { 's/scenario.yaml': `${plain['s/scenario.yaml']}wrld_state_model: x\n` },
      's/scenario.yaml:5:1  wrld_state_model: unknown key "wrld_state_model"; did you mean "world_state_model"?',
    ],
    [
      'a key of an actor',
      { 's/actors/a.yaml': 'name: Anna\nshort_name: a\ngoal: [x]\n' },
      's/actors/a.yaml:3:1  goal: unknown key "goal"; did you mean "goals"?',
    ],
    [
      'a wrong type',
      { 's/scenario.yaml': 'name: S\ninitial_world_state: B\nnum_turns: many\n' },
      's/scenario.yaml:3:12  turns: expected a whole number of turns above 0, got "many"',
    ],
    [
      'a key said twice',
      { 's/scenario.yaml': `${plain['s/scenario.yaml']}num_turns: 2\n` },
      's/scenario.yaml:5:1  "num_turns" and "turns" are the same key; keep one of them',
    ],
    [
      'no number of turns',
      { 's/scenario.yaml': 'name: S\ninitial_world_state: B\n' },
      'the number of turns is missing; add turns: 5',
    ],
    [
      'an actor without a file',
      { 's/scenario.yaml': plain['s/scenario.yaml'].replace('[a, b]', '[a, bb]') },
      's/scenario.yaml:4:13  actors.1: there is no file s/actors/bb.yaml',
    ],
    [
      'a person',
      { 's/actors/a.yaml': 'name: A\nshort_name: a\ncontrol: human\n' },
      `expected "ai": people can't play an actor here, got "human"`,
    ],
    [
      'a short name that is a path',
      { 's/actors/a.yaml': 'name: A\nshort_name: ../a\n' },
      'expected a short name of at most 64 letters',
    ],
    [
      'a metric without a way',
      { 's/metrics.yaml': 'metrics:\n  m: { type: int }\n' },
      's/metrics.yaml:2:6  metrics.m: "m" does not say how it is read',
    ],
    [
      'a pattern that is none',
      { 's/metrics.yaml': 'metrics: { m: { extraction_method: regex, pattern: "(" } }\n' },
      'metrics.m.pattern: is no regular expression',
    ],
    [
      'an actor of a metric',
      { 's/metrics.yaml': 'metrics: { m: { extraction_method: regex, pattern: x, actor: Zoe } }\n' },
      'there is no actor "Zoe"; actors: a, b',
    ],
    [
      'a condition on an unknown metric',
      {
        's/exogenous-events.yaml':
          'exogenous_events:\n  - { type: conditional, name: C, conditions: { trst: "< 3" } }\n',
      },
      's/exogenous-events.yaml:2:47  exogenous_events.0.conditions: there is no metric trst',
    ],
    [
      'a type of event',
      { 's/exogenous-events.yaml': 'exogenous_events: [{ type: sudden, name: C }]\n' },
      'exogenous_events.0.type: expected trend, random, conditional or scheduled, got "sudden"',
    ],
    [
      'a success that nobody can tell',
      { 's/scenario.yaml': `${plain['s/scenario.yaml']}success: "trust > 5"\n` },
      's/scenario.yaml:5:1  success: there is no metric trust',
    ],
    [
      'a rule',
      { 's/validation-rules.yaml': 'checks: { world_state_coherence: { enbled: true } }\n' },
      'unknown key "enbled"; did you mean "enabled"?',
    ],
    ['a folder without a scenario', { 's/scenario.yaml': '' }, 'is empty'],
    [
      'a short name that two actors have',
      { 's/actors/b.yaml': 'name: Ben\nshort_name: a\n' },
      's/actors/b.yaml:2:1  short_name: actors/a.yaml calls its actor "a" too',
    ],
    [
      'a name that two actors have',
      { 's/actors/b.yaml': 'name: anna\nshort_name: b\n' },
      's/actors/b.yaml:1:1  name: actors/a.yaml calls its actor "anna" too',
    ],
    [
      'two names that are one in the line of values',
      {
        's/metrics.yaml':
          'metrics:\n  trust: { extraction: { type: line } }\n  Trust: { extraction: { type: line } }\n',
      },
      's/metrics.yaml:3:10  metrics.Trust: in the narrator\'s line of values "Trust" can\'t be told from "trust"',
    ],
    [
      'a folder in the place of a file',
      { 's/metrics.yaml/old.yaml': 'metrics: {}\n' },
      's/metrics.yaml: is a directory, expected a file',
    ],
  ])('%s is reported with its place', (_, files, message) => {
    const { problems, files: found } = read(files)
    expect(problems.join('\n')).toContain(message)
    expect(found).toBeNull()
  })

  it('are reported once, without consequences', () => {
    const success = { 's/scenario.yaml': `${plain['s/scenario.yaml']}success: trust > 5\n` }
    const events = 'exogenous_events: [{ type: conditional, name: C, conditions: { trust: "< 3" } }]\n'
    const wrong = read({
      ...success,
      's/exogenous-events.yaml': events,
      's/metrics.yaml': 'metrics: { trust: { extraction_method: regex, pattern: "(" } }\n',
    })
    expect(wrong.problems).toEqual([expect.stringContaining('metrics.trust.pattern: is no regular expression')])
    const cwd = folderWith(plain)
    writeFileSync(join(cwd, 's/actors/b.yaml'), Buffer.from('name: Ben\nshort_name: b\nrole: \xe9\n', 'latin1'))
    expect(readScenario('s', cwd).problems).toEqual(['s/actors/b.yaml:3: is not UTF-8 text'])
  })

  it('a file that is not read because of its name is reported', () => {
    const { notes, problems } = read({
      ...plain,
      's/exogenous_events.yaml': 'exogenous_events: []\n',
      's/metric.yaml': 'metrics: {}\n',
      's/prices.yaml': '{}\n',
    })
    expect(problems).toEqual([])
    expect(notes).toEqual([
      'exogenous_events.yaml is not read; did you mean "exogenous-events.yaml"?',
      'metric.yaml is not read; did you mean "metrics.yaml"?',
    ])
  })

  it('a metric with the name of a column, or of a value that every run has', () => {
    const map = (name: string, more = '') =>
      read({
        's/metrics.yaml': `metrics:\n  trust: { pattern: "(\\\\d+)" }\n  ${name}: { pattern: "(\\\\d+)"${more} }\n`,
      })
    for (const name of ['outcome', 'state', 'passed', 'turns', 'turn', 'scenario', 'cost_usd'])
      expect(map(name)).toMatchObject({
        files: null,
        problems: [
          `s/metrics.yaml:3:3  metrics.${name}: "${name}" is reserved by assay; choose another name for the metric`,
        ],
      })
    expect(map('seed').problems).toEqual([
      's/metrics.yaml:3:3  metrics.seed: "seed" is the column of runs.csv with the random seed of each run; choose another name for the metric',
    ])
    // One for each actor has other names: outcome.a, outcome.b.
    expect(map('outcome', ', actor_specific: true').problems).toEqual([])
    expect(map('outcomes').problems).toEqual([])
  })

  it('an actor with another name than its file, and an unlisted file, are reported', () => {
    const { notes, problems } = read({
      's/scenario.yaml': plain['s/scenario.yaml'].replace('[a, b]', '[tech-company, b]'),
      's/actors/tech-company.yaml': 'name: T\nshort_name: techco\n',
    })
    expect(problems).toEqual([])
    expect(notes).toEqual([
      'actors/tech-company.yaml calls its actor "techco": parameters name it actors.techco, and files are called after it',
      'actors/a.yaml is not listed in scenario.yaml, so its actor takes no part',
    ])
  })

  it('a folder that is not there', () => {
    expect(readScenario('nowhere', folderWith({})).problems).toEqual(['nowhere: there is no such folder'])
    expect(readScenario('scenes/harbor', folderWith({ 'scenes/harbour/notes.txt': '' })).problems).toEqual([
      'scenes/harbor: there is no such folder; did you mean "harbour"?',
    ])
  })
})
