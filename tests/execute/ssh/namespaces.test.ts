import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { assayProcess, complaint, folderWith, summaryOf } from '../../support/assay.ts'
import { linesOf } from '../../support/files.ts'
import { makeNetwork } from '../../support/network.ts'
import { postgresBinaries, startPostgres } from '../../support/queue-servers.ts'
import { noSshd, startSshd } from '../../support/sshd.ts'

const program = fileURLToPath(new URL('../../../bin/assay.mjs', import.meta.url))

it('starts workers on hosts with networks of their own, which reach the queue only through the tunnel', async ({
  skip,
}) => {
  const missing = noSshd() ?? (postgresBinaries() === null ? 'there is no Postgres for this platform' : null)
  if (missing !== null) return skip(missing)
  const network = makeNetwork()
  if (network === null) return skip('network namespaces need root and iproute2')
  onTestFinished(() => network.remove())
  // It listens on the hub itself and on no line to a machine.
  const server = await startPostgres({ ...network.hub, address: '127.0.0.1' })
  onTestFinished(() => server.stop())
  const hosts = [1, 2].map(machine => ({
    ...{ name: `host-${machine}`, address: `10.77.${machine}.2` },
    on: (command: readonly string[]) => network.on(machine, command),
  }))
  const sshd = await startSshd(hosts)
  onTestFinished(() => sshd.stop())

  const root = folderWith({ begun: '' })
  const files = folderWith({
    'experiment.yaml': 'name: far\ntarget: { kind: command, command: [./work.sh, "{x}"] }\nfactors: { x: 1..12 }\n',
    // The addresses that the machine has say which it is.
    'work.sh': `#!/bin/sh\necho "$1 $(ip -4 -o addr show | grep -o '10\\.77\\.[0-9]*\\.[0-9]*/24')" >> ${join(root, 'begun')}\nsleep 0.1\n`,
  })
  const [here = '', there = ''] = ['here', 'there'].map(name => join(root, name))
  for (const folder of [here, there]) {
    mkdirSync(folder)
    cpSync(files, folder, { recursive: true })
  }
  const assay = `ASSAY_SCRATCH=${join(root, 'scratch')} ${process.execPath} ${program}`
  const args = ['--executor', 'ssh', '--ssh-config', sshd.config, '--remote-assay', assay, '--folder', there]
  const ended = await assayProcess(['run', '--json', ...args, '--hosts', 'host-1=2,host-2=2'], {
    ...{ cwd: here, within: network.on(0, []), env: { ASSAY_QUEUE: server.address } },
  })
  expect(complaint(ended, { cwd: here })).toBe('')
  expect(summaryOf(ended)).toMatchObject({ planned: 12, completed: 12, attempts: 12 })
  const begun = linesOf(join(root, 'begun')).map(line => line.split(' '))
  expect(begun).toHaveLength(12)
  expect(new Set(begun.map(([, address]) => address))).toEqual(new Set(hosts.map(({ address }) => `${address}/24`)))
})
