import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Recursive: TypeScript could not infer its type if it were lazy. */
const eager = ['src/models/trajectory/atif-schema.ts: atifSchema']

const builtOnImport =
  /^(?:export )?const (\w+)(?:: .*)? = z\s*\.(?:object|strictObject|looseObject|union|discriminatedUnion|array|record|tuple)\(/gm

// All of them together took a quarter of the time in which a command starts.
it('schemas are built when they are first used, not when their module is imported', () => {
  const found = globSync('src/**/*.ts').flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(builtOnImport)].map(([, name]) => `${file}: ${name}`),
  )
  expect(found).toEqual(eager)
})
