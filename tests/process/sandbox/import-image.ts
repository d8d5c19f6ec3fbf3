import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Root, Sandbox } from '../../../src/process/sandbox/box.ts'
import { messageOf } from '../../../src/util/errors.ts'

const programs =
  'bash cat chmod cp dd echo env head id ln ls mkdir mkfifo mv pwd rm seq setsid sh sleep tail touch true wc'

/** A small image of the host's own programs, as there is no registry to pull one from; or why it can't be made. */
export async function importImage(sandbox: Sandbox): Promise<{ readonly root: Root; remove(): void } | string> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-image-'))
  const tag = `localhost/assay-test:${process.pid}`
  try {
    for (const name of ['proc', 'dev', 'tmp', 'etc', 'root', 'app', 'usr/bin'])
      mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
    for (const name of programs.split(' ')) install(folder, name)
    execFileSync('sh', ['-c', 'tar -C "$1" -c . | "$2" import - "$3"', 'sh', folder, sandbox.backend, tag], {
      stdio: 'pipe',
    })
    const recipe = { image: tag, steps: [], context: null, dockerfile: null, notes: [] }
    const options = { provided: [], network: false, timeoutMs: 60_000, cacheDir: folder, token: 'image' }
    const root = await sandbox.build(recipe, options)
    return { root, remove: () => void execFileSync(sandbox.backend, ['rmi', '--force', tag], { stdio: 'pipe' }) }
  } catch (error) {
    return `no image can be made: ${messageOf(error)}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function install(folder: string, name: string): void {
  const file = execFileSync('sh', ['-c', `which ${name}`], { encoding: 'utf8' }).trim()
  copyFileSync(file, join(folder, 'usr/bin', name))
  if (!existsSync(join(folder, 'bin'))) execFileSync('ln', ['-s', 'usr/bin', join(folder, 'bin')])
  for (const [library] of execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/\/\S+/g)) {
    mkdirSync(dirname(join(folder, library)), { recursive: true })
    copyFileSync(library, join(folder, library))
  }
}
