import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'examples', 'tasks')
const read = path => readFileSync(join(folder, path), 'utf8')

/** Example tasks of two formats. The scripted model makes the agent repeat the author's solution. */
export const tasks = [
  {
    name: 'lru-cache',
    format: 'Harbor',
    dir: join(folder, 'lru-cache'),
    workdir: '/app',
    file: 'lru.py',
    solve: read('lru-cache/solution/solve.sh'),
  },
  {
    name: 'interval-set',
    format: 'OneShot',
    dir: join(folder, 'interval-set'),
    workdir: '/app/repo',
    file: 'intervals.py',
    solve: `git apply - <<'PATCH'\n${read('interval-set/diff.patch')}PATCH`,
  },
]
