// Writes schema/experiment.schema.json, which editors use for completion. `--check` only compares.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { writeOrCompare } from './generated-file.mjs'

const assay = fileURLToPath(new URL('../bin/assay.mjs', import.meta.url))
writeOrCompare(
  'schema/experiment.schema.json',
  execFileSync(process.execPath, [assay, 'schema'], { encoding: 'utf8' }),
  'npm run schema',
)
