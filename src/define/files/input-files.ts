import { globSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { type Places, placesText } from './places.ts'

/** The files that an entry of `inputs` stands for, absolute: itself, all in a folder, or all that match; null: there is nothing. */
export function inputFiles(input: string, { folder, cwd }: Places): readonly string[] | null {
  for (const path of isAbsolute(input) ? [input] : [folder, cwd].map(place => resolve(place, input))) {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isFile()) return [path]
    if (stat?.isDirectory()) return filesMatching(join(path, '**', '*'))
    const matched = filesMatching(path)
    if (matched.length > 0) return matched
  }
  return null
}

/** What is said of an entry that stands for nothing. */
export const noSuchInput = (input: string, places: Places): string =>
  isAbsolute(input) ? `"${input}" matches no file` : `"${input}" matches no file in ${placesText(places)}`

function filesMatching(pattern: string): string[] {
  return globSync(pattern)
    .filter(path => statSync(path).isFile())
    .sort()
}
