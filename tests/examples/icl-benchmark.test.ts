import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { networkFor } from '../../examples/icl-benchmark/networks.ts'
import { normalFrom, randomFor } from '../../examples/icl-benchmark/random.ts'
import { observed, paths } from '../../examples/icl-benchmark/terrain.ts'
import { assay, folderWith } from '../support/assay.ts'

const example = fileURLToPath(new URL('../../examples/icl-benchmark/', import.meta.url))
const program = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url))
const seeds = [1072, 2043, 3014, 4085, 5156, 6227, 7298, 8369, 9440, 10511, 11582, 12653, 13724, 14795, 15866]
/** A quarter of 60 is 15 points: as short as a training can be that is still analysed. */
const quick = ['--', '--set', 'updates=60']

function benchmark(args: readonly string[], cwd: string) {
  const env = { ...process.env, NO_COLOR: '1', ASSAY: join(cwd, 'assay') }
  return spawnSync('bash', [join(example, 'run_icl_benchmark.sh'), ...args], { cwd, env, encoding: 'utf8' })
}

const place = () => folderWith({ assay: `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n` })

describe('run_icl_benchmark.sh', () => {
  it('trains both architectures on 15 seeds, and answers the questions in its last lines', async () => {
    const cwd = place()
    for (const architecture of ['vit_reset', 'trxl']) {
      const { status, stdout, stderr } = benchmark(
        ['--architecture', architecture, '--base-run-name', 'pilot', ...quick],
        cwd,
      )
      expect(status, stderr).toBe(0)
      for (const seed of seeds) expect(stdout).toContain(`pilot.${architecture}.seed${seed} \\`)
      expect(readFileSync(join(cwd, `results/pilot.${architecture}/benchmark_git_hash.txt`), 'utf8')).not.toBe('')
      const line = /assay (variance(?:[^\n]|\\\n)*?\.png)/.exec(stdout)?.[1] ?? ''
      const words = line.replaceAll('\\\n', ' ').split(/\s+/)
      const answer = await assay([...words, '--json'], { cwd })
      const names = seeds.map(seed => `pilot.${architecture}.seed${seed}`)
      expect(JSON.parse(answer.stdout), answer.stderr).toMatchObject({ runs: names, left_out: [] })
      expect(existsSync(join(cwd, `pilot.${architecture}_variance.png`))).toBe(true)
    }
    const arms = ['--control', 'architecture=vit_reset', '--candidate', 'architecture=trxl']
    const compared = await assay(
      ['compare', 'results/pilot.vit_reset', 'results/pilot.trxl', '--summary', 'auc', ...arms, '--json'],
      { cwd },
    )
    const found = JSON.parse(compared.stdout)
    expect(found, compared.stderr).toMatchObject({ metric: 'overview/reward', n: { pairs: 15 } })
    expect(found.warnings.join()).not.toContain('capacity')
  }, 360_000)

  it('with one seed, equal runs have equal results', async () => {
    const cwd = place()
    const { status, stderr } = benchmark(
      ['--uniform-seed', '1072', '--base-run-name', 'floor', ...quick, '--filter', 'summation=in_order'],
      cwd,
    )
    expect(status, stderr).toBe(0)
    const { stdout } = await assay(['variance', 'results/floor.vit_reset', '--output', 'none'], { cwd })
    expect(stdout).toMatch(/^All 15 runs give the same overview\/reward \(AUC\)/)
  })

  it('has a dry run', () => {
    const cwd = place()
    const dry = benchmark(['--dry-run', '--base-run-name', 'b', '--architecture', 'trxl'], cwd)
    expect(dry.stdout).toContain('[DRY RUN] b.trxl.seed15866')
    const sky = benchmark(['--skypilot', '--gpus', '8', '--base-run-name', 'b'], cwd)
    expect(sky.stdout.match(/^sky launch .*--gpus A100:8 .*--seeds \d+$/gm)).toHaveLength(15)
    expect(sky.stdout).toContain('Nothing was launched')
    expect(benchmark(['--help'], cwd).stdout).toContain('--base-run-name <name>')
    expect(existsSync(join(cwd, 'results'))).toBe(false)
  })

  it.each([
    [['--architecture', 'lstm'], 'expected vit_reset or trxl, got "lstm"'],
    [['--curriculum'], '--curriculum needs a value'],
    [['--gpus', 'many'], 'expected a whole number'],
    [['--seeds', '3'], 'unknown option --seeds'],
  ])('%j is an error', (args, words) => {
    const { status, stderr } = benchmark(args, dirname(example))
    expect(status).toBe(1)
    expect(stderr).toContain(words)
  })
})

describe.each(['vit_reset', 'trxl'] as const)('the gradient of %s', architecture => {
  it('is correct', () => {
    const random = randomFor(1, 'test')
    const network = networkFor(architecture, random)
    const seen = Array.from({ length: 4 }, () => Float32Array.from({ length: observed }, () => normalFrom(random)))
    const direction = Float32Array.from({ length: paths }, () => normalFrom(random))
    const output = () => network.forward(seen).logits.reduce((sum, logit, at) => sum + logit * (direction[at] ?? 0), 0)
    const gradient = new Float32Array(network.weights.length)
    network.backward(network.forward(seen).kept, direction, gradient)
    const numeric = gradient.map((_, at) => {
      const weight = network.weights[at] ?? 0
      const change = 1e-2
      network.weights[at] = weight + change
      const above = output()
      network.weights[at] = weight - change
      const below = output()
      network.weights[at] = weight
      return (above - below) / (2 * change)
    })
    const largest = Math.max(...gradient.map(Math.abs))
    for (const [at, value] of gradient.entries())
      expect(Math.abs(value - (numeric[at] ?? 0)) / largest, `weight ${at}`).toBeLessThan(2e-3)
  })
})
