import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SshWorkers } from '../../../src/execute/ssh/ssh-workers.ts'
import { assayProcess, complaint, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { hasLines, linesOf } from '../../support/files.ts'
import { freePort } from '../../support/queue-servers.ts'
import { noSshd, startSshd, type TestSshd } from '../../support/sshd.ts'
import { onServers } from '../queue/on-servers.ts'

const program = fileURLToPath(new URL('../../../bin/assay.mjs', import.meta.url))
const missing = noSshd()

const files = {
  'experiment.yaml': `
name: far
target: { kind: command, command: [./work.sh, "{x}"] }
factors: { x: 1..12 }
metrics: { answer: {} }
`,
  'work.sh': `#!/bin/sh
echo "$1 $PPID" >> "$(cat marks)"
while [ -e hold ]; do sleep 0.05; done
echo '{"answer": 42}' >> "$ASSAY_METRICS_FILE"
`,
}

onServers('workers over ssh', server => {
  describe.skipIf(missing !== null)(missing ?? 'with sshd', () => {
    let sshd: TestSshd | undefined
    beforeAll(async () => {
      sshd = await startSshd()
    })
    afterAll(() => sshd?.stop())

    /** The folder here, and another on the machines that ssh leads to. */
    const places = () => {
      const root = folderWith({ begun: '' })
      const [here, there] = ['here', 'there'].map(name => {
        const folder = join(root, name)
        mkdirSync(folder)
        cpSync(folderWith({ ...files, marks: join(root, 'begun') }), folder, { recursive: true })
        return folder
      })
      const assay = `ASSAY_SCRATCH=${join(root, 'scratch')} ${process.execPath} ${program}`
      const args = ['--executor', 'ssh', '--ssh-config', sshd?.config ?? '', '--remote-assay', assay]
      const run = ['run', '--json', ...args, '--folder', there ?? '', '--hosts', 'one=2,two=2']
      return {
        cwd: here ?? '',
        there: there ?? '',
        begun: join(root, 'begun'),
        run,
        env: { ASSAY_QUEUE: server().address },
      }
    }

    it('starts a worker on each host, which executes runs through the tunnel and ends with the experiment', async () => {
      const { cwd, env, run, begun } = places()
      const ended = await assayProcess(run, { cwd, env })
      expect(complaint(ended, { cwd })).toBe('')
      expect(summaryOf(ended)).toMatchObject({ planned: 12, completed: 12, attempts: 12 })
      const workers = new Set(linesOf(begun).map(line => Number(line.split(' ')[1])))
      expect(linesOf(begun)).toHaveLength(12)
      for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    })

    it('workers finish their runs and leave when the coordinator is killed', async () => {
      const { cwd, there, env, run, begun } = places()
      writeFileSync(join(there, 'hold'), '')
      const started = startAssay(run, { cwd, env })
      await hasLines(begun, 4)
      const workers = [...new Set(linesOf(begun).map(line => Number(line.split(' ')[1])))]
      expect(workers).toHaveLength(2)
      started.child.kill('SIGKILL')
      await started.ended
      rmSync(join(there, 'hold'))
      for (const pid of workers) await expect.poll(() => isThere(pid)).toBe(false)
    })

    it('tries another port if one is in use on the host', async () => {
      const told: string[] = []
      // Not a worker: it writes down the address that it was given, and stays.
      const folder = folderWith({ 'stay.sh': '#!/bin/sh\nprintenv ASSAY_QUEUE > address\nexec sleep 1000\n' })
      const options = { hosts: [{ name: 'one', slots: 1 }], folder, assay: './stay.sh', config: sshd?.config ?? '' }
      const free = await freePort()
      const ports = [server().port, free]
      const workers = new SshWorkers(options, server().address, () => ports.shift() ?? 0)
      workers.start(message => told.push(message))
      await hasLines(join(folder, 'address'), 1)
      expect(linesOf(join(folder, 'address'))[0]).toContain(`127.0.0.1:${free}`)
      expect(told).toEqual([])
      await workers.stop()
    })

    it('reports why a host has no worker', async () => {
      const { cwd, env, run } = places()
      const started = startAssay([...run.slice(0, -1), 'one=2', '--folder', '/nowhere/at/all'], { cwd, env })
      await started.said('the worker on one ended (')
      started.child.kill('SIGTERM')
      expect((await started.ended).stdout).toContain('/nowhere/at/all')
    })
  })
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
