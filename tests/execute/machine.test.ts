import { expect, test } from 'vitest'
import { lackOf, type Machine, mostAtOnce, Room } from '../../src/execute/machine.ts'
import { assay, complaint, folderWith, summaryOf } from '../support/assay.ts'

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
])('of runs that need %j a machine can execute %d at once', (needed, most) => {
  expect(mostAtOnce(machine, needed)).toBe(most)
})

test('names what a machine lacks', () => {
  expect(lackOf(machine, needs({ cpu: 1, gpu: 1 }))).toBeNull()
  expect(lackOf(machine, needs({ cpu: 1, gpu: 3, memory_mb: 32_768, labels: ['fast'] }))).toBe(
    'each run needs 1 CPU, 32 GB of memory, 3 GPUs and the label fast, and this machine has 16 GB of memory, 2 GPUs and no label fast',
  )
})

test('gives every run GPUs of its own, and takes them back', () => {
  const room = new Room(machine, ['4', '7'])
  const one = needs({ gpu: 1 })
  const [first, second] = [room.take(one), room.take(one)]
  expect([first.gpus, second.gpus, room.more(one)]).toEqual([['4'], ['7'], 0])
  first.giveBack()
  expect([room.more(one), room.take(one).gpus]).toEqual([1, ['4']])
})

/** Fails where two runs have the same GPU at the same time. */
const alone = `#!/bin/sh
mkdir "gpu-$CUDA_VISIBLE_DEVICES" || exit 1
echo "$CUDA_VISIBLE_DEVICES" >> used.txt
sleep 0.02
rmdir "gpu-$CUDA_VISIBLE_DEVICES"
`

test('locally no more runs execute at once than there are GPUs for, each with its own', async () => {
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

test('a machine that lacks something refuses the runs, and names it', async () => {
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

test('says how a need is written', async () => {
  const cwd = folderWith({
    'experiment.yaml': 'name: wrong\ntarget: { kind: command, command: ["true"] }\nneeds: { memory: much }\n',
  })
  expect(complaint(await assay(['plan'], { cwd }), { cwd })).toContain('expected a size such as 500MB or 4GB')
})
