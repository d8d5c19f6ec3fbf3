import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { hostRoot, type Sandbox } from '../../process/sandbox/box.ts'
import { AssayError } from '../../util/errors.ts'
import { readEndOf, readRegular } from '../../util/files.ts'
import { readDataset } from './formats/dataset.ts'
import { sandboxFor } from './work.ts'

/** The rewards of one rollout; null: it has none. */
export type Rewards = Readonly<Record<string, number>> | null

/** The metric.py of a task's set; null: it has none. */
export const metricOfTask = (taskDir: string): string | null => readDataset(dirname(taskDir))?.metric ?? null

/**
 * The numbers that a set of tasks computes from its rewards: Harbor calls `metric.py -i rewards.jsonl -o out.json`. In
 * a box over the programs of this machine, without a network. Rejects with the reason why there are none.
 */
export async function datasetMetrics(
  script: string,
  rewards: readonly Rewards[],
): Promise<Readonly<Record<string, number>>> {
  const sandbox = await sandboxForMetrics()
  const folder = mkdtempSync(join(tmpdir(), 'assay-metric-'))
  try {
    return await calculated(script, rewards, sandbox, folder)
  } finally {
    await sandbox.discard(join(folder, 'files'))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The script needs Python and no task's image. Without isolation it only runs if that was requested. */
async function sandboxForMetrics(): Promise<Sandbox> {
  const chosen = await sandboxFor('auto')
  return chosen.can.images ? sandboxFor('bubblewrap') : chosen
}

async function calculated(
  script: string,
  rewards: readonly Rewards[],
  sandbox: Sandbox,
  folder: string,
): Promise<Readonly<Record<string, number>>> {
  const data = join(folder, 'data')
  mkdirSync(data)
  writeFileSync(join(data, 'rewards.jsonl'), rewards.map(one => `${JSON.stringify(one)}\n`).join(''))
  const box = await sandbox.open({
    token: basename(folder),
    root: hostRoot,
    files: join(folder, 'files'),
    mounts: [
      { source: dirname(script), target: '/dataset', writable: false },
      { source: data, target: '/metric', writable: true },
    ],
    workdir: '/',
    network: 'none',
    ...{ env: {}, ports: [], memoryMb: 4096, pids: 256, storageMb: 1024 },
  })
  const output = join(folder, 'output.txt')
  try {
    const { how, exitCode } = await box.exec(
      [
        ...['python3', box.at(`/dataset/${basename(script)}`)],
        ...['-i', box.at('/metric/rewards.jsonl'), '-o', box.at('/metric/out.json')],
      ],
      {
        ...{ timeoutMs: 600_000, graceMs: 1000, outputBytes: 1_000_000 },
        ...{ stdoutFile: output, stderrFile: output },
      },
    )
    if (how !== 'exited' || exitCode !== 0) throw failed(how, exitCode, output)
    return numbersIn(readRegular(join(data, 'out.json')))
  } finally {
    await box.close()
  }
}

function failed(how: string, exitCode: number | null, output: string): AssayError {
  const end = readEndOf(output, 500)?.end.toString('utf8').trim().split('\n').at(-1) ?? ''
  const said = end === '' ? '' : `: ${end}`
  return new AssayError('config', `${how === 'exited' ? `it ended with exit code ${exitCode}` : how}${said}`)
}

const numbers = z.lazy(() => z.record(z.string(), z.number()))

function numbersIn(text: string | null): Readonly<Record<string, number>> {
  if (text === null) throw new AssayError('config', 'it wrote no out.json')
  try {
    return numbers.parse(JSON.parse(text))
  } catch (cause) {
    throw new AssayError('config', 'its out.json is no object of numbers', { cause })
  }
}
