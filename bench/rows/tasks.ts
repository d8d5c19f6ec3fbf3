import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { alternate, assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

/** The size of the largest public set of Harbor tasks. */
const count = 3566

export const tasksBench: Bench = {
  name: 'tasks',
  run: () =>
    inTemporaryFolder(async folder => {
      for (let index = 0; index < count; index++) writeTask(join(folder, `task-${index}`), index)
      const readAll = ['sh', '-c', 'find . -type f -print0 | xargs -0 cat > /dev/null']
      let wall = Number.POSITIVE_INFINITY
      const cpu = await alternate(3, {
        cat: async () => (await measure(readAll, { cwd: folder })).cpuSeconds,
        list: async () => {
          const measured = await measure([process.execPath, assay, 'tasks', 'list', folder])
          wall = Math.min(wall, measured.seconds)
          return measured.cpuSeconds
        },
      })
      return [
        {
          work: `\`assay tasks list\`, ${count} Harbor tasks`,
          result: `${cpu.list.toFixed(2)} s of CPU, ${((1000 * cpu.list) / count).toFixed(2)} ms per task, in ${wall.toFixed(1)} s (find and cat of all files: ${cpu.cat.toFixed(2)} s of CPU)`,
          mustReach: '≤ 3 s of CPU',
          isReached: cpu.list <= 3,
        },
      ]
    }),
}

/** Seven files, as large as usual. */
function writeTask(dir: string, index: number): void {
  const files = {
    'task.toml': `version = "1.0"\n\n[metadata]\nauthor_name = "A"\ndifficulty = "medium"\ncategory = "programming"\ntags = ["a", "b"]\n\n[verifier]\ntimeout_sec = 900.0\n\n[agent]\ntimeout_sec = ${index + 1}.0\n\n[environment]\nbuild_timeout_sec = 600.0\ncpus = 1\nmemory_mb = 2048\nstorage_mb = 10240\n`,
    'instruction.md': `# Task ${index}\n\n${'Write the program that is described here. '.repeat(40)}\n`,
    'environment/Dockerfile':
      'FROM python:3.11-slim\nRUN apt-get update && apt-get install -y --no-install-recommends curl git\nRUN pip install --no-cache-dir pytest\nWORKDIR /app\nCOPY data/ /app/data/\nENV A=1\n',
    'environment/data/input.txt': `${index}\n`.repeat(500),
    'tests/test.sh': '#!/bin/bash\npytest /tests/test_outputs.py -rA\necho $? > /logs/verifier/reward.txt\n',
    'tests/test_outputs.py': 'def test_one():\n    assert True\n\n'.repeat(30),
    'solution/solve.sh': '#!/bin/bash\ntrue\n',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
  }
}
