import { globSync } from 'node:fs'
import { sep } from 'node:path'

/**
 * The files that a pattern names, sorted, as relative paths: in the config's folder, else in the working directory.
 * They stay relative because they enter the identity of runs, which must not depend on where a project lies.
 */
export function matchFiles(
  pattern: string,
  places: { readonly folder: string; readonly cwd: string },
): readonly string[] {
  const inFolder = globSync(pattern, { cwd: places.folder })
  const found = inFolder.length > 0 ? inFolder : globSync(pattern, { cwd: places.cwd })
  return found.map(file => file.split(sep).join('/')).sort()
}
