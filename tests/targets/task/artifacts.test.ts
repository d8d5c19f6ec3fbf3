import { expect, it } from 'vitest'
import { touchedFiles } from '../../../src/targets/task/artifacts.ts'

it('reads file names in a patch in git’s notation', () => {
  const names = [
    'diff --git a/plain.txt b/plain.txt',
    '+diff --git a/quoted b/quoted',
    'diff --git a/a b/x b/a b/x',
    'diff --git "a/\\303\\274ber/\\"x\\"\\t\\\\.txt" "b/\\303\\274ber/\\"x\\"\\t\\\\.txt"',
    'diff --git a/plain.txt b/plain.txt',
  ]
  expect(touchedFiles(names.join('\n'))).toEqual(['plain.txt', 'a b/x', 'über/"x"\t\\.txt'])
})
