import { expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { tuning } from './tuning.ts'

it('what follows the program’s name in the original’s command lines works here', async () => {
  const cwd = folderWith({
    'sweeps/train.mjs': tuning['train.mjs'],
    'sweeps/quick_test.yaml': tuning['tuning.yaml'].replace('name: tuning', 'name: quick_test'),
  })
  const made = await assay(['sweep', 'sweeps/quick_test.yaml', '--project', 'complexity-trap-test'], { cwd })
  const [, id = ''] = /^ {2}assay worker ([0-9a-f]{8})$/m.exec(made.stdout) ?? []
  const sweep = `somebody/complexity-trap-test/${id}`
  const one = await assay(['agent', sweep, '--count', '1', '--json'], { cwd })
  expect({ status: one.status, ...summaryOf(one) }).toMatchObject({ status: 0, completed: 1, attempts: 1 })
  const five = await assay(['agent', sweep, '--count', '5', '--json'], { cwd })
  expect({ status: five.status, ...summaryOf(five) }).toMatchObject({ status: 0, completed: 6, attempts: 6 })
  const rest = await assay(['agent', id, '--project', 'complexity-trap-test', '--entity', 'somebody', '--json'], {
    cwd,
  })
  expect({ status: rest.status, ...summaryOf(rest) }).toMatchObject({ status: 0, completed: 24, attempts: 24 })
})

it('run takes an id too, and looks for it where --out-root says', async () => {
  const cwd = folderWith({ ...tuning, 'far/away/x': '' })
  const { id } = JSON.parse((await assay(['sweep', 'tuning.yaml', '--json'], { cwd })).stdout)
  const ended = await assay(['run', id, '--out-root', '../..', '--json'], { cwd: `${cwd}/far/away` })
  expect(summaryOf(ended), ended.stderr).toMatchObject({ completed: 24 })
})
