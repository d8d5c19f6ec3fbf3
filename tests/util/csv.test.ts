import { expect, it } from 'vitest'
import { csvLine } from '../../src/util/csv.ts'

it.each([
  [['a', 'b'], 'a,b\n'],
  [['', ''], ',\n'],
  [['a,b', 'say "hi"'], '"a,b","say ""hi"""\n'],
  [['two\nlines', 'carriage\rreturn'], '"two\nlines","carriage\rreturn"\n'],
  [[' kept ', 'é'], ' kept ,é\n'],
])('%j is the line %j', (cells, line) => {
  expect(csvLine(cells)).toBe(line)
})
