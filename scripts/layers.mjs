// Imports follow the order of the folders, without cycles: the rules are in .dependency-cruiser.mjs.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const result = spawnSync('node_modules/.bin/depcruise', ['--config', '.dependency-cruiser.mjs', 'src'], {
  cwd: root,
  encoding: 'utf8',
})
process.stdout.write(`${result.stdout ?? ''}${result.stderr ?? ''}`)
process.exitCode = result.status ?? 1

// dependency-cruiser reads TypeScript only with the help of another package, and calls it a success to have read nothing.
if (result.stdout?.includes('(0 modules')) {
  console.error('No module was read. dependency-cruiser needs @swc/core (or TypeScript before 7) to read TypeScript.')
  process.exitCode = 1
}
