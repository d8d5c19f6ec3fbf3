import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith } from '../support/assay.ts'

const head = 'name: e\ntarget: { kind: command, command: ["true"] }\n'

/** The output of `run` for a definition, which it must refuse without creating anything. */
async function refusal(file: string, text: string, ...more: readonly string[]): Promise<string> {
  const cwd = folderWith({ [file]: text })
  const ended = await assay(['run', file, ...more], { cwd })
  expect(ended).toMatchObject({ status: 2, stdout: '' })
  expect(readdirSync(cwd)).toEqual([file])
  return complaint(ended, { cwd })
}

describe('an unreadable definition is reported with its place', () => {
  it('in YAML', async () => {
    expect(await refusal('e.yaml', `${head}factors: { x: [1, 2 }\n`)).toMatchInlineSnapshot(
      `"error: e.yaml:3:21  malformed YAML: a list that began with [ has no ] before this"`,
    )
  })

  it('in JSON', async () => {
    expect(await refusal('e.json', '{ "name": "e",\n  "target" { } }\n')).toMatchInlineSnapshot(
      `"error: e.json:2:12  malformed JSON: colon expected"`,
    )
  })

  it('in TOML', async () => {
    expect(await refusal('e.toml', 'name = "e"\n[target\nkind = "command"\n')).toMatchInlineSnapshot(
      `"error: e.toml:2:8  malformed TOML: illegal character in key"`,
    )
  })

  it('as bytes that are no text', async () => {
    expect(await refusal('e.yaml', 'name: \u0000\u0001')).toMatchInlineSnapshot(`
      "error: e.yaml:1:1  target: missing, expected a map of keys and values
      e.yaml:1:7  name: expected a name of letters, digits, "_", "-" and ".", since it names a directory, got "\\u0000\\u0001""
    `)
  })
})

describe('an invalid definition is reported with what was expected', () => {
  it('for an unknown key, with the nearest known one', async () => {
    expect(await refusal('e.yaml', `${head}factor: { x: [1] }\n`)).toMatchInlineSnapshot(
      `"error: e.yaml:3:1  factor: unknown key "factor"; did you mean "factors"?"`,
    )
  })

  it('for a wrong type', async () => {
    expect(await refusal('e.yaml', `${head}limits: { jobs: many }\nreplicates: 1.5\n`)).toMatchInlineSnapshot(`
      "error: e.yaml:3:17  limits.jobs: expected a whole number above 0, got "many"
      e.yaml:4:13  replicates: expected a whole number above 0, got 1.5"
    `)
  })

  it('for a duplicate level', async () => {
    expect(await refusal('e.yaml', `${head}factors: { x: [1, 2, 1] }\n`)).toMatchInlineSnapshot(
      `"error: e.yaml:3:22  factors.x.2: 1 is listed twice"`,
    )
  })

  it('for a factor without levels', async () => {
    expect(await refusal('e.yaml', `${head}factors: { x: [] }\n`)).toMatchInlineSnapshot(
      `"error: e.yaml:3:15  factors.x: "x" has no levels, so nothing would be run"`,
    )
  })

  it.each(['params: { constructor: 1 }', 'factors: { toString: [1, 2] }', 'blocks: { valueOf: [1] }'])(
    'for a name that means something to JavaScript: %s',
    async line => {
      expect(await refusal('e.yaml', `${head}${line}\n`)).toContain(
        'expected another name: this one means something to JavaScript',
      )
    },
  )

  it('for a constraint that excludes everything', async () => {
    const text = `${head}factors: { x: [1, 2] }\nconstraints: ["x > 2"]\n`
    expect(await refusal('e.yaml', text)).toMatchInlineSnapshot(`
      "error: e.yaml:4:14  constraints: no variant is left: constraints and exclude remove all of them
        constraints 0: x > 2 (removes 2 of 2)
        Relax one of them, or add levels that satisfy them."
    `)
  })

  it('for a range of other numbers, or downwards', async () => {
    expect(
      await refusal('e.yaml', `${head}factors: { a: 0.1..0.5..0.1, b: 5..1 }\nseeds: 9..1\n`),
    ).toMatchInlineSnapshot(`
      "error: e.yaml:3:15  factors.a: expected whole numbers in a range (list others one by one), got "0.1..0.5..0.1"
      e.yaml:3:33  factors.b: expected a range that goes upwards, such as 1..5, got "5..1"
      e.yaml:4:8  seeds: expected a range that goes upwards, such as 1..9, got "9..1""
    `)
  })

  it('for an expression, with the advice on a separate line', async () => {
    const text = `${head}factors: { a: [1, 2] }\nconstraints: ["aa < 2", "0 < a < 2"]\n`
    expect(await refusal('e.yaml', text)).toMatchInlineSnapshot(`
      "error: e.yaml:4:15  constraints.0: there is no parameter aa
        aa < 2
        ^
        Did you mean a?
      e.yaml:4:25  constraints.1: comparisons cannot be chained
        0 < a < 2
              ^
        Write a < b and b < c."
    `)
  })

  it('for names that are not unique', async () => {
    const text = `${head}factors: { a: [1, 2], b: [1, 2] }\nnaming: "{a}"\n`
    expect(await refusal('e.yaml', text)).toMatchInlineSnapshot(
      `"error: e.yaml:4:9  naming: two runs would be called 1; they differ in b. Add {b} to the template."`,
    )
  })

  it('for missing inputs', async () => {
    const text = `${head}inputs: [e.yaml, no-such.csv, "data/*.csv"]\n`
    expect(await refusal('e.yaml', text)).toMatchInlineSnapshot(`
      "error: e.yaml:3:18  inputs.1: "no-such.csv" matches no file in <cwd>
      e.yaml:3:31  inputs.2: "data/*.csv" matches no file in <cwd>"
    `)
    const cwd = folderWith({ 'e.yaml': text })
    const planned = await assay(['plan', 'e.yaml'], { cwd })
    expect(complaint(planned, { cwd })).toContain('e.yaml:3:18  inputs.1: "no-such.csv" matches no file in <cwd>\n')
  })

  it('for a missing module', async () => {
    const text = 'name: e\ntarget: { kind: function, module: no-such.mjs }\n'
    expect(await refusal('e.yaml', text)).toMatchInlineSnapshot(
      `"error: e.yaml:2:35  target.module: module "no-such.mjs" was not found in <cwd>; it is the path of a .ts, .js or .mjs file, relative to the configuration file"`,
    )
  })

  it('for a filter that matches nothing', async () => {
    expect(await refusal('e.yaml', `${head}factors: { x: [1, 2] }\n`, '--filter', 'x=3')).toMatchInlineSnapshot(`
      "error: no run matches the filter
        x=3 (removes 2 of 2 runs)
      See what there is with: assay plan."
    `)
  })

  it('for a filter on an unknown name', async () => {
    expect(await refusal('e.yaml', `${head}factors: { policy: [1] }\n`, '--filter', 'polcy=1')).toMatchInlineSnapshot(`
      "error: the filter polcy=1 asks for polcy, which no run has
      Did you mean policy?"
    `)
  })

  it('for a budget without run_budget_usd, with the line to paste', async () => {
    expect(await refusal('e.yaml', `${head}limits: { budget_usd: 5 }\n`)).toMatchInlineSnapshot(
      `"error: e.yaml:3:23  limits.budget_usd: a budget needs a maximum cost per run, and a command target does not declare one; add "run_budget_usd: 0.50" to limits (or --run-budget 0.50); 0 declares that runs are free"`,
    )
    expect(await refusal('e.yaml', head, '--budget', '5')).toMatchInlineSnapshot(
      `"error: --budget 5: a budget needs a maximum cost per run, and a command target does not declare one; add "run_budget_usd: 0.50" to limits (or --run-budget 0.50); 0 declares that runs are free"`,
    )
  })
})

describe('no definition', () => {
  it('explains what to give', async () => {
    const cwd = folderWith()
    const ended = await assay(['run'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toMatchInlineSnapshot(`
      "error: no configuration file was given, and none was found here
      name one with -c/--config, or make one of experiment.yaml, experiment.yml, experiment.json, experiment.toml, batch-config.yaml, bench/experiments/default.json (assay init writes the first)"
    `)
  })

  it('under the name that was given', async () => {
    const cwd = folderWith({ 'sweep.yaml': head })
    const ended = await assay(['run', 'sweeep.yaml'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toMatchInlineSnapshot(`
      "error: sweeep.yaml: no such file or experiment directory
      did you mean sweep.yaml?"
    `)
    const unlike = await assay(['plan', 'sub/other.yaml'], { cwd })
    expect(complaint(unlike, { cwd })).toMatchInlineSnapshot(`
      "error: sub/other.yaml: no such file or experiment directory
      \`assay init\` writes an experiment to start from."
    `)
  })

  it.each([['status'], ['collect']])('%s explains its arguments', async command => {
    const cwd = folderWith()
    const ended = await assay([command], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toBe(
      'error: no experiment was named, and there is no experiment file here\n' +
        'Give the directory that `assay run` printed, the file that defines it, or an id of `assay sweep list`.',
    )
  })
})
