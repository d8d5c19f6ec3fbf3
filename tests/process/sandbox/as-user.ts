import { hostRoot } from '../../../src/process/sandbox/recipe.ts'
import { chooseSandbox } from '../../../src/process/sandbox/sandbox.ts'
import { messageOf } from '../../../src/util/errors.ts'
import { attacks } from './attacks/checks.ts'
import { contract } from './contract/checks.ts'
import { keep } from './world.ts'

// Keeps all promises in a process of a user without rights, and prints a line of JSON for each. The tests read them.
const sandbox = await chooseSandbox('bubblewrap', process.env)
const wanted = process.argv[2] ?? ''
for (const check of [...contract, ...attacks].filter(({ name }) => name.includes(wanted))) {
  const started = performance.now()
  if (check.needs?.(sandbox.can) === false) continue
  const problem = await keep(check, sandbox, hostRoot).then(
    () => null,
    error => (error instanceof Error ? (error.stack ?? messageOf(error)) : String(error)),
  )
  console.log(JSON.stringify({ name: check.name, problem, seconds: (performance.now() - started) / 1000 }))
}
