import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'

/** Relative paths are relative to the config's folder first, then the working directory: the first that exists. */
export function resolvePath(path: string, { folder, cwd }: { readonly folder: string; readonly cwd: string }): string {
  if (isAbsolute(path)) return path
  const inFolder = resolve(folder, path)
  if (existsSync(inFolder)) return inFolder
  const inCwd = resolve(cwd, path)
  return existsSync(inCwd) ? inCwd : inFolder
}
