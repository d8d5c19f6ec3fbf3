import { describe, expect, test } from 'vitest'
import { complaintsOn, head, loadSweep } from './sweep.ts'

const parameters = 'parameters: { a: { values: [1, 2] } }\n'

describe('mistakes in a parameter are reported with their place', () => {
  test.each([
    ['{ valeus: [1] }', '4:20  parameters.x.valeus: unknown key "valeus"; did you mean "values"?'],
    ['{ distribuiton: uniform, min: 0, max: 1 }', 'unknown key "distribuiton"; did you mean "distribution"?'],
    [
      '{ eps: { min: 1, max: 2 } }',
      '4:20  parameters.x.eps: unknown key "eps"; to nest, write x: { parameters: { eps: … } }',
    ],
    ['{ min: 0, max: 1, step: 0.1 }', 'unknown key "step"; known here: distribution, value, values, probabilities,'],
    ['{}', '4:18  parameters.x: its values are missing; give "value", "values", or "min" and "max"'],
    ['{ mu: 1 }', 'parameters.x: its values are missing; add "distribution: normal" (or log_normal)'],
    ['{ a: 1 }', 'parameters.x: its values are missing; add "distribution: beta"'],
    ['3', '4:18  parameters.x: expected a map such as { value: 3 }, { values: [1, 2] } or { min: 0, max: 1 }, got 3'],
    [
      '[1, 2]',
      'parameters.x: expected a map such as { value: 3 }, { values: [1, 2] } or { min: 0, max: 1 }, got [1,2]',
    ],
    ['{ values: [] }', '4:28  parameters.x.values: expected a list with at least one value, got []'],
    ['{ values: 1 }', '4:28  parameters.x.values: expected a list with at least one value, got 1'],
    ['{ min: 1 }', '4:18  parameters.x: "max" is missing: int_uniform takes min and max'],
    ['{ max: 0.5 }', '4:18  parameters.x: "min" is missing: uniform takes min and max'],
    ['{ min: "1", max: 2 }', '4:25  parameters.x.min: expected a number, got "1"'],
    ['{ min: 2, max: 1 }', '4:25  parameters.x.min: min must be less than max, got 2 and 1'],
    ['{ min: 1, max: 1 }', 'min must be less than max, got 1 and 1'],
    [
      '{ values: [1], min: 0 }',
      '4:33  parameters.x.min: "min" contradicts "values", which takes values; leave one out',
    ],
    [
      '{ value: 1, values: [1] }',
      '4:30  parameters.x.values: "values" contradicts "value", which takes value; leave one out',
    ],
    [
      '{ min: 0, max: 1, q: 0.1 }',
      '4:36  parameters.x.q: "q" contradicts "min", which takes min and max; "q" goes with "distribution: q_uniform"',
    ],
    [
      '{ distribution: normal, min: 0, max: 1 }',
      '4:42  parameters.x.min: "min" contradicts "normal", which takes mu and sigma; it has no limits: give mu and sigma, or take another distribution',
    ],
    [
      '{ distribution: uniform, values: [1] }',
      '4:43  parameters.x.values: "values" contradicts "uniform", which takes min and max',
    ],
    ['{ distribution: normal, sigma: 0 }', '4:49  parameters.x.sigma: expected a number above 0, got 0'],
    ['{ distribution: q_normal, q: -1 }', 'parameters.x.q: expected a number above 0, got -1'],
    [
      '{ distribution: unifrom, min: 0, max: 1 }',
      '4:34  parameters.x.distribution: there is no distribution "unifrom"; did you mean "uniform"?',
    ],
    ['{ distribution: poisson }', 'there is no distribution "poisson"; known: constant, categorical,'],
    [
      '{ distribution: int_uniform, min: 0.5, max: 2 }',
      '4:52  parameters.x.min: int_uniform needs whole numbers, got 0.5',
    ],
    [
      '{ distribution: log_uniform_values, min: 0, max: 1 }',
      '4:59  parameters.x.min: log_uniform_values takes numbers above 0, got a minimum of 0',
    ],
    [
      '{ distribution: log_uniform, min: 0, max: 1000 }',
      'parameters.x: a logarithm needs numbers above 0 that are not too large, got 1 to Infinity',
    ],
    [
      '{ values: [a, b], probabilities: [1] }',
      '4:51  parameters.x.probabilities: expected one for each of the 2 values, got 1',
    ],
    ['{ values: [a, b], probabilities: [0, 0] }', 'parameters.x.probabilities: at least one must be above 0'],
    ['{ values: [a], probabilities: [-1] }', 'parameters.x.probabilities.0: expected a number of at least 0, got -1'],
    ['{ probabilities: [1] }', 'parameters.x: its values are missing'],
    ['{ parameters: {} }', '4:32  parameters.x.parameters: expected at least one parameter'],
    [
      '{ value: 1, parameters: { y: { value: 2 } } }',
      '4:20  parameters.x.value: "value" contradicts "parameters": a group of parameters has no value itself; leave one out',
    ],
    [
      '{ parameters: { y: { valu: 2 } } }',
      '4:39  parameters.x.parameters.y.valu: unknown key "valu"; did you mean "value"?',
    ],
    ['{ value: 12345678901234567890 }', '12345678901234567890 has too many digits to be kept exactly'],
  ])('%s', (parameter, complaint) => {
    expect(complaintsOn(`${head()}parameters: { x: ${parameter} }\n`)).toContain(complaint)
  })

  test.each([
    [
      '{ min: 0.0, max: 1 }',
      `4:18  parameters.x: a grid can't list uniform; give "values", int_uniform or q_uniform, or take method: random or bayes`,
    ],
    ['{ distribution: normal }', `4:18  parameters.x: a grid can't list normal`],
    [
      '{ values: [a, b], probabilities: [1, 2] }',
      '4:36  parameters.x.probabilities: a grid runs all values and ignores probabilities; leave them out, or take method: random or bayes',
    ],
    ['{ min: 0, max: 99999999 }', 'parameters.x: it has too many values for a grid; take method: random or bayes'],
  ])('parameters without a list for a grid: %s', (parameter, complaint) => {
    expect(complaintsOn(`${head('grid')}parameters: { x: ${parameter} }\n`)).toContain(complaint)
  })

  test('two of the same name', () => {
    const twice = 'parameters: { a.b: { value: 1 }, a: { parameters: { b: { value: 2 } } } }'
    expect(complaintsOn(`${head('grid')}${twice}\n`)).toContain('there are two parameters called "a.b"')
  })

  test.each(['"a b"', '"a=1"', '"{a}"', '-a', '"1"', '"a\'"'])('a name that no command line can carry: %s', name => {
    expect(complaintsOn(`${head('grid')}parameters: { ${name}: { value: 1 } }\n`)).toContain(
      `4:15  parameters.${name.replaceAll('"', '')}: expected a`,
    )
  })
})

describe('other mistakes are reported with their place', () => {
  const program = 'program: train.mjs\n'
  test.each([
    [`${program}${parameters}`, '1:1  method: missing, expected "grid", "random" or "bayes"'],
    [`${program}method: bayesian\n${parameters}`, '2:9  method: expected "bayes", got "bayesian"'],
    [
      `${program}method: gird\n${parameters}`,
      '2:9  method: expected "grid", "random" or "bayes", got "gird"; did you mean "grid"?',
    ],
    [
      `${program}method: custom\n${parameters}`,
      '2:9  method: the method "custom" needs your own program to choose the runs; expected "grid", "random" or "bayes"',
    ],
    [
      `${program}method: grid\n`,
      '1:1  parameters: missing, expected at least one parameter, such as lr: { values: [0.01, 0.001] }',
    ],
    [`${program}method: grid\nparameters: {}\n`, 'parameters: expected at least one parameter, such as lr'],
    [`${program}method: grid\nparameters: [1]\n`, 'parameters: expected at least one parameter, such as lr'],
    [
      `${program}method: random\nparameters: { a: { value: 1 } }\n`,
      '2:9  method: there is nothing to search: no factor has more than one level',
    ],
    [
      `${program}assay: { order: listed }\nmethod: grid\n${parameters}`,
      '2:1  assay: a sweep file has no "assay"; use options such as -j',
    ],
    [`${program}wandb: real\nmethod: grid\n${parameters}`, '2:1  wandb: a sweep file has no "wandb"'],
    [
      `method: grid\n${parameters}`,
      '1:1  the program to run is missing; add "program: train.py"; a function that was given to wandb.agent() has to be called by a program',
    ],
    [`command: [node, "\${program}"]\nmethod: grid\n${parameters}`, '1:17  command.1: the program to run is missing'],
    [
      `${program}command: node train.mjs\nmethod: grid\n${parameters}`,
      '2:10  command: expected a list such as ["${env}", "${interpreter}", "${program}", "${args}"], got "node train.mjs"',
    ],
    [`${program}command: []\nmethod: grid\n${parameters}`, 'command: expected at least one item'],
    [
      `${program}command: ["\${run}", "\${now:%Y}"]\nmethod: grid\n${parameters}`,
      '2:10  command: nothing is left to run: W&B drops macros that it does not know',
    ],
    [
      `${program}command: [node, "train.mjs \${args}"]\nmethod: grid\n${parameters}`,
      'command.1: ${args} is part of a text here, and would get to the program as it is; make it a separate item',
    ],
    [
      `${program}command: [node, "\${envvar:ASSAY_TEST_NOT_SET}"]\nmethod: grid\n${parameters}`,
      '2:17  command.1: the environment variable ASSAY_TEST_NOT_SET is not set; export ASSAY_TEST_NOT_SET=… before you start assay',
    ],
    [
      `${program}command: [no-such-program]\nmethod: grid\n${parameters}`,
      '2:11  command.0: program "no-such-program" was not found on the PATH',
    ],
    [
      `${program}command: ["\${run}", no-such-program]\nmethod: grid\n${parameters}`,
      '2:21  command.1: program "no-such-program" was not found on the PATH',
    ],
    [`program: other.py\nmethod: grid\n${parameters}`, '1:10  program: program "other.py" was not found in '],
    [`${head('bayes')}${parameters}`, '3:9  method: bayes learns from a metric; add "metric: { name: …, goal: … }"'],
    [`${head('bayes')}metric: { goal: minimize }\n${parameters}`, '4:9  metric.name: missing, expected text'],
    [
      `${head()}metric: { name: m, goal: minimise }\n${parameters}`,
      '4:26  metric.goal: expected "minimize" or "maximize" (W&B only warns: bayes then minimizes, and best_run() takes the largest value), got "minimise"; did you mean "minimize"?',
    ],
    [
      `${head('bayes')}metric: { name: m, goal: lower is better }\n${parameters}`,
      '(W&B only warns: bayes then minimizes, and best_run() takes the largest value), got "lower is better"',
    ],
    [
      `${head()}metric: { name: m, impute: mean }\n${parameters}`,
      'metric.impute: expected "worst", "best" or "latest", got "mean"',
    ],
    [
      `${head()}metric: { name: m, impute_while_running: yes }\n${parameters}`,
      'metric.impute_while_running: expected "latest", "best", "worst" or false, got true',
    ],
    [
      `${head()}metrics: [{ name: a }, { name: b }]\n${parameters}`,
      '4:1  metrics: several objectives are for the method "custom"; keep one of them as "metric", or write the search in the native dialect',
    ],
    [
      `${head()}job: a/b:v1\n${parameters}`,
      '4:1  job: "job" is kept on the servers of W&B, for W&B Launch; name what to run with "program" or "command"',
    ],
    [`${head()}image_uri: x\n${parameters}`, 'image_uri: "image_uri" is kept on the servers of W&B'],
    [
      `${head()}scheduler: { engine: optuna }\n${parameters}`,
      '4:22  scheduler.engine: assay chooses the runs itself, not "optuna"',
    ],
    [`${head()}run_cap: 0\n${parameters}`, '4:10  run_cap: expected a whole number above 0, got 0'],
    [
      `${head()}early_terminate: { type: hyperband, min_iter: 3 }\n${parameters}`,
      '4:18  early_terminate: runs are ended by their metric; add "metric',
    ],
    [
      `${head()}metric: { name: m }\nearly_terminate: { type: median }\n${parameters}`,
      'early_terminate.type: expected "hyperband", got "median"',
    ],
    [
      `${head()}metric: { name: m }\nearly_terminate: { type: hyperband }\n${parameters}`,
      '5:18  early_terminate: expected "min_iter", or "max_iter" with "s"',
    ],
    [
      `${head()}metric: { name: m }\nearly_terminate: { type: hyperband, max_iter: 9 }\n${parameters}`,
      '5:37  early_terminate.max_iter: "max_iter" needs "s", the number of bands before it',
    ],
    [
      `${head()}metric: { name: m }\nearly_terminate: { type: hyperband, min_iter: 3, eta: 1 }\n${parameters}`,
      'early_terminate.eta: expected a number above 1, got 1',
    ],
  ])('%j', (yaml, complaint) => {
    expect(complaintsOn(yaml)).toContain(complaint)
  })

  test('for an option the option is named instead of a place', () => {
    const yaml = `${head()}${parameters}`
    expect(complaintsOn(yaml, { set: ['run_cap=0'] })).toBe('--set run_cap=0: expected a whole number above 0, got 0')
    expect(complaintsOn(yaml, { limits: { jobs: 0 } })).toContain('--jobs 0: expected a whole number above 0')
    expect(complaintsOn(yaml, { set: ['a={min: 2, max: 1}'] })).toContain('--set a={min: 2, max: 1}: min must be less')
  })

  test('all at once, in the order of the file', () => {
    const yaml = `${head('bayes')}run_cap: -1\nparameters: { x: { min: "a" } }\n`
    expect(
      complaintsOn(yaml)
        .split('\n')
        .map(line => line.split('  ')[0]),
    ).toEqual(['4:10', '5:25'])
  })

  test('a correct file is accepted', () => {
    expect(loadSweep(`${head('grid')}${parameters}`).factors).toHaveLength(1)
  })
})

describe('files that W&B runs with a warning', () => {
  const notesOf = (yaml: string) => loadSweep(yaml).notes

  test('unknown keys have no effect, and are named with their place', () => {
    const yaml = `${head()}metod: grid\nearly_stopping: {}
metric: { name: m, targett: 1 }
early_terminate: { type: hyperband, min_iter: 3, strikt: false }
${parameters}`
    expect(notesOf(yaml)).toEqual([
      'sweep.yaml:4:1  metod: unknown key "metod": it has no effect; did you mean "method"?',
      'sweep.yaml:5:1  early_stopping: unknown key "early_stopping": it has no effect',
      'sweep.yaml:6:20  metric.targett: unknown key "targett": it has no effect; did you mean "target"?',
      'sweep.yaml:7:50  early_terminate.strikt: unknown key "strikt": it has no effect; did you mean "strict"?',
    ])
    expect(loadSweep(yaml).search).toMatchObject({ target: null, early_stop: { strict: true } })
  })

  test('the last one of a duplicate key counts, wherever it is', () => {
    const yaml = `${head('grid')}method: random\nparameters:\n  a: { values: [1, 2] }\n  b: { value: 1, value: 2.0 }\n  a: { values: [3.0, 4, 5] }\n`
    const { notes, search, factors, params, python } = loadSweep(yaml)
    expect({ method: search?.method, levels: factors[0]?.levels, params }).toEqual({
      method: 'random',
      levels: [3, 4, 5],
      params: { b: 2 },
    })
    expect(python?.spelling).toMatchObject({ a: { '3': '3.0' }, b: { '2': '2.0' } })
    expect(notes).toEqual([
      'sweep.yaml:4:1  the key "method" is written twice: the last one counts',
      'sweep.yaml:7:18  the key "value" is written twice: the last one counts',
      'sweep.yaml:8:3  the key "a" is written twice: the last one counts',
    ])
  })

  test('parameter names outside its schema, such as those of Hydra', () => {
    const yaml = `${head('grid')}parameters: { +model/optimizer: { values: [a, b] }, ~seed: { values: [1] }, db@server: { value: 1 }, 1st: { value: 2 } }\n`
    const { factors, params, notes } = loadSweep(yaml)
    expect(factors.map(({ name }) => name)).toEqual(['+model/optimizer', '~seed'])
    expect({ params, notes }).toEqual({ params: { 'db@server': 1, '1st': 2 }, notes: [] })
  })

  test('an unknown macro is passed on unchanged, and named', () => {
    const yaml = `program: train.mjs\ncommand: ["\${env}", node, "\${program}", "-l \${lr}", "\${now:%Y}x"]\nmethod: grid\nparameters: { lr: { values: [1, 2] }, env: { value: 3 } }\n`
    expect(notesOf(yaml)).toEqual([
      '"command": ${lr} is no macro and gets to the program as it is; ${args} passes "lr"',
    ])
  })

  test('macros that it does not know are left out of the command, and named with what was meant', () => {
    const yaml = `program: train.mjs\ncommand: ["\${env}", node, "\${program}", "\${arg}", "\${lr}", "\${HOME}", "\${now} \${then}", "\${args}"]
method: grid\nparameters: { lr: { values: [1, 2] } }\n`
    const { target, notes } = loadSweep(yaml)
    expect(target).toMatchObject({ command: ['${env}', 'node', '${program}', '${args}'] })
    expect(notes).toEqual([
      'sweep.yaml:2:41  command.3: there is no macro ${arg}: the command goes without it, as in W&B; did you mean ${args}?',
      'sweep.yaml:2:51  command.4: there is no macro ${lr}: the command goes without it, as in W&B; ${args} passes all parameters, "lr" as --lr=…',
      expect.stringContaining(
        'command.5: there is no macro ${HOME}: the command goes without it, as in W&B; for an environment variable write ${envvar:HOME}; macros: ${env} ${interpreter}',
      ),
      expect.stringContaining('command.6: there is no macro ${now} ${then}: the command goes without it, as in W&B'),
    ])
  })

  test('an early_terminate that is no map ends no run', () => {
    const yaml = `${head()}metric: { name: m }\nearly_terminate: hyperband\n${parameters}`
    const { search, notes } = loadSweep(yaml)
    expect(search?.early_stop).toBeNull()
    expect(notes).toContain(
      'sweep.yaml:5:18  early_terminate: it has no effect, as in W&B: expected a map, got "hyperband"; to end bad runs early, write { type: hyperband, min_iter: 3 }',
    )
  })

  test('an option may set only known keys', () => {
    const yaml = `${head('grid')}${parameters}`
    expect(complaintsOn(yaml, { set: ['metric.targett=1'] })).toContain('targett')
    expect(complaintsOn(yaml, { set: ['early_terminate=hyperband'] })).toContain(
      '--set early_terminate=hyperband: expected a map',
    )
  })
})

test('a native experiment with a duplicate key is still refused', () => {
  const yaml = 'name: e\nname: f\ntarget: { kind: command, command: [echo] }\n'
  expect(complaintsOn(yaml)).toBe('2:1  the key "name" is written twice')
})
