import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Experiment } from '../../../src/define/experiment.ts'
import type { Run } from '../../../src/define/run.ts'
import { checkCommand } from '../../../src/targets/command/check.ts'
import { renderCommand } from '../../../src/targets/command/render.ts'
import { type CommandSpec, commandSpec } from '../../../src/targets/command/spec.ts'
import { shellQuote } from '../../../src/util/words.ts'
import { experimentWith, programs, runWith } from '../../perform/support.ts'
import { folderWith } from '../../support/assay.ts'

const place = { run_dir: '/e/runs/r', out_dir: '/e/runs/r/out' }

function render(spec: Omit<CommandSpec, 'kind'>, run: Partial<Run> = {}, experiment: Partial<Experiment> = {}) {
  const target = { kind: 'command' as const, ...spec }
  return renderCommand(target, experimentWith({ kind: 'command' }, experiment), runWith(run), place)
}

const args = (command: string[], run: Partial<Run> = {}) => render({ command: ['p', ...command] }, run).command.slice(1)

describe('the argv of a run', () => {
  test('parameters, blocks and facts of the run', () => {
    expect(
      args(['{policy}', '--n={n}', '{task}', '{seed}', '{replicate}', '{run_id}', '{out_dir}', '{params_json}'], {
        params: { policy: 'full', n: 5 },
        block: { task: 't1' },
      }),
    ).toEqual(['full', '--n=5', 't1', '7', '1', 'the-run', '/e/runs/r/out', '{"n":5,"policy":"full"}'])
  })

  test('dots access nested values', () => {
    expect(args(['{optimizer.lr}'], { params: { optimizer: { lr: 0.1 } } })).toEqual(['0.1'])
  })

  test('an absent parameter drops its flag', () => {
    expect(args(['--n', '{n}', '--keep', 'x', '{n}', 'n={n}'])).toEqual(['--keep', 'x', 'n='])
  })

  test('the flags of an ablation: at {flags}, or at the end', () => {
    const run = { flags: ['--no_hedge', '--x'] }
    expect(args(['{flags}', 'last'], run)).toEqual(['--no_hedge', '--x', 'last'])
    expect(args(['last'], run)).toEqual(['last', '--no_hedge', '--x'])
  })

  test('pass_params: in order, then the others, then flags, then the output directory', () => {
    const { command } = render(
      { command: ['sim'], pass_params: { order: ['workflows', 'policy'], out_dir: '--out_dir' } },
      {
        params: { policy: 'full', seed: 1, routing: true, off: false, none: null, mix: [1, 2], workflows: 5 },
        flags: ['--no_hedge'],
      },
    )
    expect(command.join(' ')).toBe(
      'sim --workflows 5 --policy full --seed 1 --routing --mix [1,2] --no_hedge --out_dir /e/runs/r/out',
    )
  })

  test('numbers are spelt as the dialect demands', () => {
    const naming = { kind: 'matrix-json' as const, spelling: { x: { '50': '50.0' } } }
    expect(render({ command: ['p', '{x}'] }, { params: { x: 50 } }, { naming }).command).toEqual(['p', '50.0'])
  })
})

describe('working directory and environment', () => {
  test('the program is found beside the configuration file', () => {
    expect(render({ command: ['./prints.sh'] }).command).toEqual([join(programs, 'prints.sh')])
  })

  test('cwd and env may hold placeholders', () => {
    const { cwd, env } = render({ command: ['p'], cwd: 'sub/{n}', env: { N: '{n}', B: true } }, { params: { n: 3 } })
    expect(cwd).toBe(join(programs, 'sub/3'))
    expect(env).toEqual({ N: '3', B: 'true' })
  })
})

describe('a line for the shell', () => {
  test('values are quoted, flags appended', () => {
    const line = render(
      { command: 'echo {name} | wc -c', shell: true },
      { params: { name: "it's $HOME" }, flags: ['--a b'] },
    ).command
    expect(line).toEqual(['/bin/sh', '-c', `echo 'it'\\''s $HOME' | wc -c '--a b'`])
  })

  test('quoted values pass through the shell unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }).map(withoutNul), text => {
        expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text)
      }),
      { numRuns: 50 },
    )
  })
})

const payloads = [
  '$(touch ran)',
  '`touch ran`',
  '"; touch ran; "',
  "'; touch ran; '",
  'a\n touch ran\n#',
  '\\',
  '$HOME "x" \'y\'',
]

describe('quotes around a placeholder', () => {
  const lines: { readonly [line: string]: (value: string) => string } = {
    'printf %s {v}': value => value,
    'printf %s "{v}"': value => value,
    "printf %s '{v}'": value => value,
    'printf %s "a {v} $(printf %s "b {v}") \\" c"': value => `a ${value} b ${value} " c`,
    "printf %s 'it'\\''s {v}' # no comment {{": value => `it's ${value}`,
    'printf "%s" "$(printf %s {v})"; true "{v}" && true': value => value,
  }

  test.each(Object.keys(lines))('%s gets the value unchanged, and executes nothing of it', line => {
    const cwd = folderWith()
    for (const value of payloads) {
      const [shell = '', ...args] = render({ command: line, shell: true }, { params: { v: value } }).command
      const printed = execFileSync(shell, args, { encoding: 'utf8', cwd })
      // $( ) drops line ends.
      expect(printed).toBe(lines[line]?.(value))
      expect(readdirSync(cwd)).toEqual([])
    }
  })

  test.each([
    'echo `echo {v}`',
    'echo x # {v}',
    'cat <<END\n{v}\nEND',
    'sh -c "echo {v}"',
    "python3 -c 'print({v})'",
    'eval echo {v}',
    'bash -ec "{v}"',
  ])('%s is refused before anything runs', line => {
    const experiment = experimentWith({ kind: 'command' }, { params: { v: 1 } })
    expect(checkCommand({ kind: 'command', command: line, shell: true }, experiment)).toMatchObject([
      { path: ['target', 'command'], message: expect.stringMatching(/^\{v\} is in/) },
    ])
  })
})

test.each(['head -c {v} file', 'grep -e "{v}" file', 'sh -c {v}', 'echo "# {v}"', 'cut -c1-{v}; echo {v}'])(
  '%s reads no value as code',
  line => {
    const experiment = experimentWith({ kind: 'command' }, { params: { v: 1 } })
    expect(checkCommand({ kind: 'command', command: line, shell: true }, experiment)).toEqual([])
  },
)

const withoutNul = (text: string) => text.replaceAll('\0', '')

describe('the schema', () => {
  test('a line of text needs a shell, with the fix in the message', () => {
    const { error } = commandSpec.safeParse({ kind: 'command', command: './sim --seed {seed}' })
    expect(error?.issues[0]?.message).toBe(
      'one line of text is only understood by a shell: write command: ["./sim", "--seed", "{seed}"], or add shell: true',
    )
  })

  test('a list needs none', () => {
    expect(commandSpec.safeParse({ kind: 'command', command: ['./sim'], shell: true }).success).toBe(false)
    expect(commandSpec.safeParse({ kind: 'command', command: [] }).success).toBe(false)
  })
})
