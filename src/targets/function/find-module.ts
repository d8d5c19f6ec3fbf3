import { statSync } from 'node:fs'
import { resolve } from 'node:path'

/** A relative path is resolved against the folder of the configuration file, then the working directory. */
export function findModule(module: string, folder: string): { readonly path: string; readonly exists: boolean } {
  const paths = [folder, process.cwd()].map(dir => resolve(dir, module))
  const found = paths.find(path => statSync(path, { throwIfNoEntry: false })?.isFile())
  return { path: found ?? resolve(folder, module), exists: found !== undefined }
}
