import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lackOf, type Machine, mostAtOnce, Room } from '../../src/execute/machine.ts'
import { openBoard } from '../../src/execute/use-board.ts'
import { assay, complaint, folderWith, summaryOf } from '../support/assay.ts'
import { linesOf } from '../support/files.ts'

const machine: Machine = { host: 'here', cpus: 8, memory_mb: 16_384, gpus: 2, labels: ['docker'] }
const needs = (parts: object) => ({ cpu: 0, memory_mb: 0, gpu: 0, labels: [], ...parts })

test.each([
  [undefined, Number.POSITIVE_INFINITY],
  [needs({}), Number.POSITIVE_INFINITY],
  [needs({ cpu: 3 }), 2],
  [needs({ cpu: 0.1 }), 80],
  [needs({ memory_mb: 4096, gpu: 1 }), 2],
  [needs({ memory_mb: 9000 }), 1],
  [needs({ gpu: 3 }), 0],
  [needs({ labels: ['docker'] }), Number.POSITIVE_INFINITY],
  [needs({ labels: ['docker', 'fast'] }), 0],
])('a machine executes %d runs at once that need %j', (needed, most) => {
  expect(mostAtOnce(machine, needed)).toBe(most)
})

test('names missing resources of a machine', () => {
  expect(lackOf(machine, needs({ cpu: 1, gpu: 1 }))).toBeNull()
  expect(lackOf(machine, needs({ cpu: 1, gpu: 3, memory_mb: 32_768, labels: ['fast'] }))).toBe(
    'each run needs 1 CPU, 32 GB of memory, 3 GPUs and the label fast, and this machine has 16 GB of memory, 2 GPUs and no label fast',
  )
})

test('gives every run its own GPUs, and takes them back', () => {
  const room = new Room(machine, ['4', '7'])
  const one = needs({ gpu: 1 })
  const [first, second] = [room.take(one), room.take(one)]
  expect([first?.gpus, second?.gpus, room.more(one), room.take(one)]).toEqual([['4'], ['7'], 0, null])
  first?.giveBack()
  expect([room.more(one), room.take(one)?.gpus]).toEqual([1, ['4']])
})

test('processes on one machine share its resources, and those of a dead one are free', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = folderWith()
  const [here, there] = [openBoard(folder), openBoard(folder)].map(board => new Room(machine, ['4', '7'], board))
  const one = needs({ gpu: 1, memory_mb: 8_000 })
  const first = here?.take(one)
  expect([first?.gpus, there?.take(one)?.gpus, here?.take(one)]).toEqual([['4'], ['7'], null])
  first?.giveBack()
  // It leaves the machine to the others for a moment.
  vi.advanceTimersByTime(1_000)
  expect(here?.take(needs({ memory_mb: 9_000 }))).toBeNull()
  vi.advanceTimersByTime(1_000)
  expect(here?.take(one)?.gpus).toEqual(['4'])
  const left = openBoard(folderWith({ '999999999-1-0': JSON.stringify({ cpus: 8, memory_mb: 0, gpus: ['4'] }) }))
  expect(new Room(machine, ['4', '7'], left).take(one)?.gpus).toEqual(['4'])
})

/** Fails where two runs have the same GPU at the same time. */
const alone = `#!/bin/sh
for gpu in $(echo "$CUDA_VISIBLE_DEVICES" | tr , ' '); do mkdir "gpu-$gpu" || exit 1; done
echo "$1 $CUDA_VISIBLE_DEVICES" >> used.txt
sleep 0.02
for gpu in $(echo "$CUDA_VISIBLE_DEVICES" | tr , ' '); do rmdir "gpu-$gpu"; done
`

test('local runs are limited by GPUs, each with its own', async () => {
  const cwd = folderWith({
    'experiment.yaml':
      'name: gpus\ntarget: { kind: command, command: [./alone.sh] }\nfactors: { x: 1..6 }\nneeds: { gpu: 1 }\n',
    'alone.sh': alone,
  })
  const env = { CUDA_VISIBLE_DEVICES: '4,7' }
  const plan = await assay(['plan', '-j', '8'], { cwd, env })
  expect(plan.stdout).toContain('each run needs 1 GPU: this machine can execute 2 at once')
  const ended = await assay(['run', '--json', '-j', '8'], { cwd, env })
  expect(complaint(ended, { cwd })).toBe('')
  expect(summaryOf(ended)).toMatchObject({ planned: 6, completed: 6, attempts: 6 })
})

test('each run gets what it needs, and larger ones wait until there is room', async () => {
  const cwd = folderWith({
    'experiment.yaml': `
name: mixed
target: { kind: command, command: [./alone.sh, "{x}"] }
factors: { x: 1..8 }
needs: [{ when: x % 2 == 0, gpu: 2 }, { gpu: 1 }]
`,
    'alone.sh': alone,
  })
  const env = { CUDA_VISIBLE_DEVICES: '4,7' }
  const plan = await assay(['plan', '-j', '8'], { cwd, env })
  expect(plan.stdout).toContain('some runs need 2 GPUs: this machine can execute 1 at once')
  const ended = await assay(['run', '--json', '-j', '8'], { cwd, env })
  expect(complaint(ended, { cwd })).toBe('')
  expect(summaryOf(ended)).toMatchObject({ completed: 8, attempts: 8 })
  const used = linesOf(join(cwd, 'used.txt')).map(line => line.split(' '))
  for (const [x, gpus = ''] of used) expect(gpus.split(',')).toHaveLength(Number(x) % 2 === 0 ? 2 : 1)
})

test('reports an error in the condition of a need', async () => {
  const cwd = folderWith({
    'experiment.yaml':
      'name: wrong\ntarget: { kind: command, command: ["true"] }\nfactors: { size: [1, 2] }\nneeds: [{ when: siz > 1, gpu: 1 }]\n',
  })
  const said = complaint(await assay(['plan'], { cwd }), { cwd })
  expect(said).toContain('Did you mean size?')
  expect(said).toContain('experiment.yaml:4')
})

test('a machine refuses runs for a missing resource, and names it', async () => {
  const cwd = folderWith({
    'experiment.yaml':
      'name: labelled\ntarget: { kind: command, command: ["true"] }\nneeds: { memory: 1MB, labels: [docker] }\n',
  })
  const refused = await assay(['run'], { cwd })
  expect(refused.status).toBe(2)
  expect(complaint(refused, { cwd })).toContain(
    "labelled can't run here: each run needs 1 MB of memory and the label docker, and this machine has no label docker",
  )
  expect(summaryOf(await assay(['run', '--json', '--label', 'docker'], { cwd }))).toMatchObject({ completed: 1 })
})

test('explains the syntax of needs', async () => {
  const cwd = folderWith({
    'experiment.yaml': 'name: wrong\ntarget: { kind: command, command: ["true"] }\nneeds: { memory: much }\n',
  })
  expect(complaint(await assay(['plan'], { cwd }), { cwd })).toContain('expected a size such as 500MB or 4GB')
})
