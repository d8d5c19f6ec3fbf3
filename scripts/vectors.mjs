// Known answers against our statistics: `npm run vectors -- <file.json>` prints how many pass, and what is wrong with the others.
import { readFileSync } from 'node:fs'
import { checkVector } from '../src/stats/vectors/check-vector.ts'
import { registry } from '../src/stats/vectors/registry.ts'

const [file] = process.argv.slice(2)
if (file === undefined) {
  console.error('Which file? npm run vectors -- <file.json>')
  process.exit(2)
}
const content = JSON.parse(readFileSync(file, 'utf8'))
const vectors = Array.isArray(content) ? content : content.vectors
const results = vectors.map(vector => ({ name: vector.name ?? vector.fn, problem: checkVector(vector, registry) }))
const failures = results.filter(({ problem }) => problem !== null)

console.log(`${results.length - failures.length} passed, ${failures.length} failed`)
for (const { name, problem } of failures) console.log(`${name}: ${problem}`)
process.exitCode = failures.length > 0 ? 1 : 0
