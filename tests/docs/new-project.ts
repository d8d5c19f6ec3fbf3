import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderWith } from '../support/assay.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The result of `npm init -y` and `npm install --save-dev <clone>`: files are CommonJS unless their names say otherwise. */
export function newProject(files: Readonly<Record<string, string>> = {}): string {
  const folder = folderWith({ 'package.json': JSON.stringify({ name: 'new-project', type: 'commonjs' }), ...files })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules', 'assay'))
  return folder
}
