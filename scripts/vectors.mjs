// Checks the statistics against known answers, and prints the number of passes and the errors.
//   npm run vectors                  those of the repository, which the tests check too
//   npm run vectors -- <file.json>   those of another file
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkVector } from '../tests/stats/vectors/check-vector.ts'
import { registry } from '../tests/stats/vectors/registry.ts'

const own = fileURLToPath(new URL('../tests/stats/vectors/stats-vectors.json', import.meta.url))
const [file = own] = process.argv.slice(2)
const content = JSON.parse(readFileSync(file, 'utf8'))
const vectors = Array.isArray(content) ? content : content.vectors
const results = vectors.map(vector => ({ name: vector.name ?? vector.fn, problem: checkVector(vector, registry) }))
const failures = results.filter(({ problem }) => problem !== null)

console.log(`${results.length - failures.length} passed, ${failures.length} failed`)
for (const { name, problem } of failures) console.log(`${name}: ${problem}`)
process.exitCode = failures.length > 0 ? 1 : 0
