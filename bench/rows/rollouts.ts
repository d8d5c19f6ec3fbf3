import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { alternate, assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

const count = 1000

const experiment = `
name: rollouts
target: { kind: task, tasks: task, agent: oracle, sandbox: bubblewrap }
seeds: 1..${count}
limits: { jobs: 2 }
`

const files = {
  'experiment.yaml': experiment,
  'task/task.toml': '[agent]\ntimeout_sec = 60.0\n[verifier]\ntimeout_sec = 60.0\n',
  'task/instruction.md': 'There is nothing to do.\n',
  'task/environment/Dockerfile': 'FROM scratch\nWORKDIR /app\n',
  'task/solution/solve.sh': '#!/bin/bash\ntrue\n',
  'task/tests/test.sh': '#!/bin/bash\necho 1 > /logs/verifier/reward.txt\n',
}

/** The task's two programs, each in a temporary box, keeping nothing: the cost without assay. */
const bare = [
  'bwrap --unshare-all --die-with-parent --ro-bind / / --bind "$1" /mnt --dev /dev --proc /proc',
  'bash -c',
].join(' ')
const bareLine = `run() { ${bare} true; ${bare} 'echo 1 > /mnt/reward.txt'; }; export -f run; seq ${count} | xargs -P2 -I{} bash -c 'run "$0"' "$1"`

/** The overhead of journal, files, diff, logs and two boxes with limits, for a task that takes no time itself. */
export const rolloutsBench: Bench = {
  name: 'rollouts',
  run: () =>
    inTemporaryFolder(async folder => {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
        if (name.endsWith('.sh')) chmodSync(join(folder, name), 0o755)
      }
      let round = 0
      let cpu = Number.POSITIVE_INFINITY
      const { own, ours } = await alternate(2, {
        own: async () => (await measure(['bash', '-c', bareLine, 'bench', folder])).seconds,
        ours: async () => {
          const out = `out-${round++}`
          const measured = await measure([process.execPath, assay, 'run', '-q', '--out-root', out], { cwd: folder })
          cpu = Math.min(cpu, measured.cpuSeconds)
          return measured.seconds
        },
      })
      const each = (seconds: number) => (1000 * seconds) / count
      const over = each(ours - own)
      return [
        {
          work: `${count.toLocaleString('en')} rollouts of a trivial task, -j2, in bubblewrap`,
          result: `${over.toFixed(0)} ms each over the task's own time (${each(ours).toFixed(0)} ms, of which ${each(own).toFixed(0)} ms are two bare boxes; ${each(cpu).toFixed(0)} ms of CPU)`,
          mustReach: '≤ 60 ms',
          isReached: over <= 60,
        },
      ]
    }),
}
