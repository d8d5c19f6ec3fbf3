import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Axis, axes, experimentFile, program } from '../growth/axes.ts'
import { type Command, commands } from '../growth/commands.ts'
import { assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench, Row } from '../row.ts'

const mostPerDoubling = 2.3

/** Below this, ratios are noise: if four times the size costs less, nothing grows. */
const leastSeconds = 0.25
const leastMegabytes = 40

/**
 * By default V8 keeps about as much garbage as there is data, and doubles the space for new objects
 * at some moment. Limited to a tenth, peak memory is what a command needs, and reproducible.
 */
const withoutGarbage = ['--heap-growing-percent=10', '--max-semi-space-size=1']

/**
 * A busy moment only ever adds to the time, and a late collection to the memory: a result that is too large is measured again, this
 * often at most, and the least of each size counts.
 */
const mostRounds = 6

/**
 * Every command on experiments that are large in one way: cost has to grow linearly. The cost of the same command on a tiny
 * experiment (mostly starting) is subtracted from time and memory. Time is CPU time, because this machine may be busy.
 */
export const growthBench: Bench = {
  name: 'growth',
  run: parts =>
    inTemporaryFolder(async folder => {
      refuseUnknown(parts)
      const chosen = <T extends { readonly name: string }>(all: readonly T[]): readonly T[] => {
        const named = all.filter(({ name }) => parts.includes(name))
        return named.length === 0 ? all : named
      }
      const rows: Row[] = []
      for (const axis of chosen(axes)) {
        const tiny = await grown(folder, axis, axis.tiny)
        const sizes = [1, 2, 4].map(times => times * axis.least)
        const folders: string[] = []
        for (const size of sizes) folders.push(await grown(folder, axis, size))
        for (const command of chosen(commands)) {
          process.stderr.write(`  ${command.name} with ${axis.least} to ${4 * axis.least} ${axis.unit} …\n`)
          rows.push(await rowOf(axis, command, tiny, folders))
        }
        for (const own of [tiny, ...folders]) rmSync(own, { recursive: true, force: true })
      }
      return rows
    }),
}

function refuseUnknown(parts: readonly string[]): void {
  const known = [...axes, ...commands].map(({ name }) => name)
  const unknown = parts.filter(part => !known.includes(part))
  if (unknown.length > 0) throw new Error(`growth has no part ${unknown.join(', ')}: it has ${known.join(', ')}`)
}

/** The folder of a finished experiment of that size. */
async function grown(root: string, axis: Axis, size: number): Promise<string> {
  const folder = join(root, `${axis.name}-${size}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'work.mjs'), program(axis, size))
  writeFileSync(join(folder, 'experiment.yaml'), experimentFile(axis, size))
  const isFine = axis.isFailing ? '[ $? -le 1 ]' : '[ $? -eq 0 ]'
  await measure(['/bin/sh', '-c', `"$0" "$@"; ${isFine}`, process.execPath, assay, 'run', '-q'], { cwd: folder })
  return folder
}

async function rowOf(axis: Axis, command: Command, tiny: string, folders: readonly string[]): Promise<Row> {
  const all = [tiny, ...folders]
  const seconds = await leastInRounds(all, leastSeconds, async folder => (await command.measure(folder)).cpuSeconds)
  const megabytes = await leastInRounds(
    all,
    leastMegabytes,
    async folder => (await command.measure(folder, withoutGarbage)).megabytes ?? 0,
  )
  const growth = { seconds: doublings(seconds, leastSeconds), megabytes: doublings(megabytes, leastMegabytes) }
  const told = folders.map((_, at) => `${seconds[at + 1]?.toFixed(2)} s ${Math.round(megabytes[at + 1] ?? 0)} MB`)
  return {
    work: `${command.name} with ${[1, 2, 4].map(times => times * axis.least).join(', ')} ${axis.unit}`,
    result: `${told.join(', ')}: time ${ratiosText(growth.seconds)}, memory ${ratiosText(growth.megabytes)}`,
    mustReach: `≤ ${mostPerDoubling} × in each doubling`,
    isReached: ![...growth.seconds, ...growth.megabytes].some(isTooMuch),
  }
}

/** The cost of each, alternating sizes, so that a busy moment affects all of them. */
async function leastInRounds(
  folders: readonly string[],
  least: number,
  cost: (folder: string) => Promise<number>,
): Promise<readonly number[]> {
  const costs = folders.map(() => Number.POSITIVE_INFINITY)
  let rounds = 0
  do {
    for (const [at, folder] of folders.entries()) costs[at] = Math.min(costs[at] ?? 0, await cost(folder))
    rounds++
  } while (rounds < 2 || (doublings(costs, least).some(isTooMuch) && rounds < mostRounds))
  return costs
}

/**
 * The factor by which each doubling multiplied the cost beyond that of the tiny experiment, the first; null if there is hardly any
 * yet. A cost below half of the relevant minimum counts as that half.
 */
function doublings([tiny = 0, ...costs]: readonly number[], least: number): readonly (number | null)[] {
  const own = costs.map(cost => cost - tiny)
  return own.slice(1).map((cost, at) => (cost < least ? null : cost / Math.max(least / 2, own[at] ?? 0)))
}

const isTooMuch = (ratio: number | null): boolean => ratio !== null && ratio > mostPerDoubling

const ratiosText = (ratios: readonly (number | null)[]): string =>
  ratios.every(ratio => ratio === null)
    ? 'the same'
    : ratios.map(ratio => (ratio === null ? 'next to none' : `× ${ratio.toFixed(2)}`)).join(' and ')
