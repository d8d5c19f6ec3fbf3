import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bundles = new Map<string, Promise<string>>()

/**
 * A fixture program that imports sources, as one file: a process that loads hundreds of them, taking out the types of
 * each, spends half a second on that before it begins. Made once for all tests of a process.
 */
export function bundled(program: string): Promise<string> {
  const known = bundles.get(program)
  if (known !== undefined) return known
  const made = bundle(program)
  bundles.set(program, made)
  return made
}

async function bundle(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-program-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  await build({
    entryPoints: [program],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  })
  return join(folder, basename(program).replace(/\.ts$/, '.mjs'))
}
