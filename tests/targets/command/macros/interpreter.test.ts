import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assayProcess, complaint, folderWith } from '../../../support/assay.ts'

const sweep = 'program: train.py\nmethod: grid\nparameters: { a: { values: [1] } }\n'
const python = '#!/bin/sh\necho python\n'

/** A machine that has only these programs. */
function machine(programs: Readonly<Record<string, string>>, yaml = sweep) {
  const cwd = folderWith({ 'sweep.yaml': yaml, 'train.py': '', 'bin/none': '', ...programs })
  return { cwd, env: { PATH: join(cwd, 'bin') } }
}

it('python is the interpreter if it exists', async () => {
  const { stdout } = await assayProcess(
    ['plan', 'sweep.yaml'],
    machine({ 'bin/python': python, 'bin/python3': python }),
  )
  expect(stdout).toContain('cmd=/usr/bin/env python train.py --a=1')
})

it('python3 otherwise', async () => {
  const { stdout } = await assayProcess(['plan', 'sweep.yaml'], machine({ 'bin/python3': python }))
  expect(stdout).toContain('cmd=/usr/bin/env python3 train.py --a=1')
  expect(stdout).not.toContain('is used instead')
})

it('also if the command says python, with a notice', async () => {
  const yaml = `${sweep}command: ["\${env}", python, "\${program}", "\${args}"]\n`
  const { stdout } = await assayProcess(['plan', 'sweep.yaml'], machine({ 'bin/python3': python }, yaml))
  expect(stdout).toContain('cmd=/usr/bin/env python3 train.py --a=1')
  expect(stdout).toContain('there is no "python" on the PATH: python3 is used instead')
})

it('neither is an error before anything runs', async () => {
  const place = machine({})
  const ended = await assayProcess(['run', 'sweep.yaml'], place)
  expect(ended.status).toBe(2)
  expect(complaint(ended, place)).toBe(
    'error: sweep.yaml:1:10  program: neither python nor python3 was found on the PATH; install Python, or name another interpreter in the command',
  )
})
