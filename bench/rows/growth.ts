import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Axis, axes, experimentFile, program } from '../growth/axes.ts'
import { type Command, commands } from '../growth/commands.ts'
import { assay, inTemporaryFolder, type Measured, measure } from '../measure.ts'
import type { Bench, Row } from '../row.ts'

const mostPerDoubling = 2.3

/** So little work that chance decides about ratios: it counts as none. */
const leastSeconds = 0.25
const leastMegabytes = 40

/**
 * Every command on experiments that are large in one way: cost has to grow as they do. What the same command takes on a tiny
 * experiment (to start, mostly) is subtracted from time and memory. Time is that of the processor, for this machine may be busy.
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

/** The folder of an experiment of that size, all of which was run. */
async function grown(root: string, axis: Axis, size: number): Promise<string> {
  const folder = join(root, `${axis.name}-${size}`)
  mkdirSync(folder)
  writeFileSync(join(folder, 'work.mjs'), program(axis, size))
  writeFileSync(join(folder, 'experiment.yaml'), experimentFile(axis, size))
  const isFine = axis.isFailing ? '[ $? -le 1 ]' : '[ $? -eq 0 ]'
  await measure(['/bin/sh', '-c', `"$0" "$@"; ${isFine}`, process.execPath, assay, 'run', '-q'], { cwd: folder })
  return folder
}

interface Cost {
  readonly seconds: number
  readonly megabytes: number
}

async function rowOf(axis: Axis, command: Command, tiny: string, folders: readonly string[]): Promise<Row> {
  const rounds = [await round(command, tiny, folders), await round(command, tiny, folders)]
  // A busy moment only ever adds: what looks too much is measured again.
  if (!isLinear(growthOf(rounds))) rounds.push(await round(command, tiny, folders), await round(command, tiny, folders))
  const { least, seconds, megabytes } = growthOf(rounds)
  const told = least.map(one => `${one.seconds.toFixed(2)} s ${Math.round(one.megabytes)} MB`).join(', ')
  return {
    work: `${command.name} with ${[1, 2, 4].map(times => times * axis.least).join(', ')} ${axis.unit}`,
    result: `${told}: time ${ratiosText(seconds)}, memory ${ratiosText(megabytes)}`,
    mustReach: `≤ ${mostPerDoubling} × in each doubling`,
    isReached: isLinear({ seconds, megabytes }),
  }
}

/** Sizes in turn, so that a busy moment hits all of them; the tiny experiment first. */
async function round(command: Command, tiny: string, folders: readonly string[]): Promise<readonly Cost[]> {
  const costs: Cost[] = []
  for (const folder of [tiny, ...folders]) costs.push(costOf(await command.measure(folder)))
  return costs
}

const costOf = ({ cpuSeconds, megabytes }: Measured): Cost => ({ seconds: cpuSeconds, megabytes: megabytes ?? 0 })

/** By how much each doubling multiplied the cost; null: there is next to none yet. */
interface Growth {
  readonly seconds: readonly (number | null)[]
  readonly megabytes: readonly (number | null)[]
}

function growthOf(rounds: readonly (readonly Cost[])[]): Growth & { readonly least: readonly Cost[] } {
  const all = (rounds[0] ?? []).map((_, at) => ({
    seconds: Math.min(...rounds.map(costs => costs[at]?.seconds ?? Number.POSITIVE_INFINITY)),
    megabytes: Math.min(...rounds.map(costs => costs[at]?.megabytes ?? Number.POSITIVE_INFINITY)),
  }))
  const [tiny = { seconds: 0, megabytes: 0 }, ...least] = all
  return {
    least,
    seconds: doublings(
      least.map(({ seconds }) => seconds - tiny.seconds),
      leastSeconds,
    ),
    megabytes: doublings(
      least.map(({ megabytes }) => megabytes - tiny.megabytes),
      leastMegabytes,
    ),
  }
}

/** What is less than half of the least that can be told from chance counts as that. */
const doublings = (costs: readonly number[], least: number): readonly (number | null)[] =>
  costs.slice(1).map((cost, at) => (cost < least ? null : cost / Math.max(least / 2, costs[at] ?? 0)))

const isLinear = ({ seconds, megabytes }: Growth): boolean =>
  [...seconds, ...megabytes].every(ratio => ratio === null || ratio <= mostPerDoubling)

const ratiosText = (ratios: readonly (number | null)[]): string =>
  ratios.map(ratio => (ratio === null ? 'none' : `× ${ratio.toFixed(2)}`)).join(' and ')
