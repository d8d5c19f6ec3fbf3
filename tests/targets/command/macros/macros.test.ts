import { describe, expect, test } from 'vitest'
import type { PythonValues } from '../../../../src/define/experiment.ts'
import { argumentsOf, type MacroName, macroNames } from '../../../../src/define/spelling/spelling.ts'
import { argumentsJson } from '../../../../src/targets/command/macros/macros.ts'
import { renderCommand } from '../../../../src/targets/command/render.ts'
import type { JsonObject } from '../../../../src/util/json.ts'
import { experimentWith, runWith } from '../../../perform/support.ts'

const place = { run_dir: '/e/runs/r', out_dir: '/e/runs/r/out' }
const none: PythonValues = { spelling: {}, floats: [], nested: {} }

const expand = (macro: MacroName, params: JsonObject, python = none) =>
  renderCommand(
    { kind: 'command', command: ['p', `\${${macro}}`], program: 'train.py' },
    experimentWith({ kind: 'command' }, { python }),
    runWith({ params }),
    place,
  ).command.slice(1)

const params = { c: 1, a: true, d: null, b: false, e: 'x y' }

describe('macros', () => {
  test.each<[MacroName, readonly string[]]>([
    ['env', ['/usr/bin/env']],
    ['program', ['train.py']],
    ['args', ['--a=True', '--b=False', '--c=1', '--d=None', '--e=x y']],
    ['args_no_hyphens', ['a=True', 'b=False', 'c=1', 'd=None', 'e=x y']],
    ['args_no_equals', ['--a', 'True', '--b', 'False', '--c', '1', '--d', 'None', '--e', 'x y']],
    ['args_no_boolean_flags', ['--a', '--c=1', '--d=None', '--e=x y']],
    ['args_append_hydra', ['+a=True', '+b=False', '+c=1', '+d=None', '+e=x y']],
    ['args_override_hydra', ['++a=True', '++b=False', '++c=1', '++d=None', '++e=x y']],
    ['args_json', ['{"a": true, "b": false, "c": 1, "d": null, "e": "x y"}']],
    ['args_json_file', ['/e/runs/r/args.json']],
  ])('${%s}', (macro, words) => {
    expect(expand(macro, params)).toEqual(words)
  })

  test('are complete', () => {
    expect([...macroNames].sort()).toEqual(
      [
        ...['args', 'args_append_hydra', 'args_json', 'args_json_file', 'args_no_boolean_flags', 'args_no_equals'],
        ...['args_no_hyphens', 'args_override_hydra', 'env', 'interpreter', 'program'],
      ].sort(),
    )
  })

  test('numbers as in Python: as written, and floats with a point', () => {
    const python = { ...none, spelling: { lr: { '0.001': '1e-3' }, n: { '50': '50.0' } }, floats: ['x', 'y'] }
    expect(expand('args', { lr: 0.001, n: 50, x: 2, y: 1e-7, z: 1e-7, k: 3 }, python)).toEqual([
      ...['--k=3', '--lr=1e-3', '--n=50.0', '--x=2.0', '--y=1e-07', '--z=1e-07'],
    ])
  })

  test('lists and maps as Python prints them', () => {
    const text = `it's "quoted"`
    expect(expand('args', { l: [1, 'a', null, true], m: { b: text, a: 'x' }, s: text, w: ["it's", 'é\n'] })).toEqual([
      "--l=[1, 'a', None, True]",
      `--m={'a': 'x', 'b': 'it\\'s "quoted"'}`,
      `--s=${text}`,
      `--w=["it's", 'é\\n']`,
    ])
  })

  test('a nested parameter is filled in; a dot in a name is only a dot', () => {
    const python = {
      ...none,
      nested: {
        'optimizer.lr': ['optimizer', 'lr'],
        'optimizer.nadam.beta': ['optimizer', 'nadam', 'beta'],
        'optimizer.in.put': ['optimizer', 'in.put'],
      },
      floats: ['optimizer.lr'],
    }
    const nested = { 'optimizer.in.put': 'x', 'optimizer.lr': 1, 'optimizer.nadam.beta': 0.9, 'model.size': 3 }
    expect(expand('args', nested, python)).toEqual([
      '--model.size=3',
      "--optimizer={'in.put': 'x', 'lr': 1.0, 'nadam': {'beta': 0.9}}",
    ])
    expect(expand('args_json', nested, python)).toEqual([
      '{"model.size": 3, "optimizer": {"in.put": "x", "lr": 1.0, "nadam": {"beta": 0.9}}}',
    ])
    expect(expand('args', { 'optimizer.lr': 1 })).toEqual(['--optimizer.lr=1'])
  })

  test('the JSON is what Python would read', () => {
    const tricky = { a: 'x, y: "z"', b: { c: [1, { d: 'é,:{}' }] }, 'd.e': -0.5 }
    const facts = {
      program: undefined,
      run: runWith({ params: tricky }),
      place,
      experiment: experimentWith({ kind: 'command' }),
    }
    expect(JSON.parse(argumentsJson(facts))).toEqual(tricky)
    expect(argumentsOf(tricky, {}).map(({ name }) => name)).toEqual(['a', 'b', 'd.e'])
  })
})

describe('environment variables', () => {
  const rendered = (environment?: (name: string) => string) =>
    renderCommand(
      { kind: 'command', command: ['p', '--key=${envvar:KEY}', '${envvar:KEY}', '${{KEY}}', '$KEY'] },
      experimentWith({ kind: 'command' }),
      runWith(),
      place,
      environment,
    ).command.slice(1)

  test('are filled in for the program only, because values may be secret', () => {
    expect(rendered()).toEqual(['--key=${envvar:KEY}', '${envvar:KEY}', '${KEY}', '$KEY'])
    expect(rendered(name => `<${name}>`)).toEqual(['--key=<KEY>', '<KEY>', '${KEY}', '$KEY'])
  })
})
