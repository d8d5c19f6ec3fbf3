import type { Dialect } from '../dialects/dialect.ts'
import { checkPlainData } from '../source/check-plain-data.ts'
import type { Source } from '../source/source.ts'
import type { Edit } from './edit.ts'
import { optionEdits } from './option-edits.ts'
import { overlay } from './overlay.ts'
import type { Overrides } from './overrides.ts'
import { setEdit } from './set-edit.ts'

/** The configuration with the changes from the command line, which errors then name instead of a place in the file. */
export function applyOverrides(source: Source, dialect: Dialect, overrides: Overrides, cwd: string): Source {
  const edits: Edit[] = []
  for (const text of overrides.set ?? []) edits.push(setEdit(text, overlay(source, edits).value, dialect))
  edits.push(...optionEdits(overrides, overlay(source, edits).value, dialect, cwd))
  const overridden = overlay(source, edits)
  checkPlainData(overridden)
  return overridden
}
