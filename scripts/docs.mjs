// Writes docs/cli.md from the tables of commands and options. `--check` only compares.
import { cliReference } from '../src/cli/reference.ts'
import { writeOrCompare } from './generated-file.mjs'

writeOrCompare('docs/cli.md', cliReference(), 'npm run docs')
