// Writes docs/cli.md from the tables of commands and options, and docs/images/rooms.svg from the list of rooms and their
// doors. `--check` only compares.
import { cliReference } from '../src/cli/reference.ts'
import { writeOrCompare } from './generated-file.mjs'
import { rooms } from './rooms.mjs'
import { roomsPicture } from './rooms-picture.mjs'

writeOrCompare('docs/cli.md', cliReference(), 'npm run docs')
writeOrCompare('docs/images/rooms.svg', roomsPicture(rooms), 'npm run docs')
