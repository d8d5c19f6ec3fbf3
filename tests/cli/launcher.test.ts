import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const assay = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url))
const ownNode = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))

describe('bin/assay.mjs', () => {
  it('passes on the exit code', () => {
    expect(spawnSync(process.execPath, [assay, '--version'], { encoding: 'utf8' })).toMatchObject({ status: 0 })
    expect(spawnSync(process.execPath, [assay, 'runn'], { encoding: 'utf8' })).toMatchObject({ status: 2, stdout: '' })
  })

  it('ends quietly if its output is closed', () => {
    const line = `"${process.execPath}" "${assay}" schema | head -c 10`
    const result = spawnSync('bash', ['-o', 'pipefail', '-c', line], { encoding: 'utf8' })
    expect(result).toMatchObject({ status: 0, stderr: '' })
  })
})

/** The first Node on this machine that is too old for assay. */
function oldNode(): string | undefined {
  const candidates = ['/usr/bin/node', '/usr/local/bin/node'].filter(path => existsSync(path))
  return candidates.find(path => Number(execFileSync(path, ['-p', 'parseInt(process.versions.node)'])) < 22)
}

describe('on an old Node', () => {
  it('runs on the Node of the checkout, with the same exit code', ({ skip }) => {
    const node = oldNode()
    if (node === undefined || !existsSync(ownNode)) return skip('there is no old Node here, or no own one')
    expect(spawnSync(node, [assay, 'runn'], { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("unknown command 'runn'"),
    })
  })

  it('dies when its child is killed', async ({ skip }) => {
    const node = oldNode()
    if (node === undefined || !existsSync(ownNode)) return skip('there is no old Node here, or no own one')
    const child = spawn(node, [assay, 'run', sleepingExperiment()], { stdio: ['ignore', 'pipe', 'ignore'] })
    const chunks: string[] = []
    child.stdout.setEncoding('utf8').on('data', chunk => chunks.push(chunk))
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    // Standard output ends only when the last process that holds it is gone: the real assay.
    await once(child, 'close')
    expect(chunks.join('')).not.toContain('everything is in')
  })

  it('forwards Ctrl-C once, so that running runs can finish', async ({ skip }) => {
    const node = oldNode()
    if (node === undefined || !existsSync(ownNode)) return skip('there is no old Node here, or no own one')
    const child = spawn(node, [assay, 'run', sleepingExperiment(), '-v'], { stdio: ['ignore', 'pipe', 'pipe'] })
    await lineWith(child.stdout, '[RUN]')
    child.kill('SIGINT')
    await lineWith(child.stderr, 'no new runs')
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(child.exitCode).toBe(130)
  })

  it('names the required version if there is no other', ({ skip }) => {
    const node = oldNode()
    if (node === undefined) return skip('there is no old Node here')
    const result = spawnSync(node, [assay], { encoding: 'utf8', env: { ...process.env, ASSAY_LAUNCHER: '1' } })
    expect(result.status).toBe(2)
    expect(result.stderr).toMatch(/^error: assay needs Node 22.18 or newer; this is Node /)
  })
})

/** Runs that take a while; one of them may outlive its killed assay, so not too long a while. */
function sleepingExperiment(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-launcher-'))
  const experiment = {
    name: 'sleeping',
    target: { kind: 'command', command: ['sleep', '5'] },
    seeds: [1, 2],
    limits: { jobs: 1 },
  }
  const file = join(folder, 'experiment.json')
  writeFileSync(file, JSON.stringify(experiment))
  return file
}

async function lineWith(stream: Readable, text: string): Promise<void> {
  for await (const line of createInterface({ input: stream })) if (line.includes(text)) return
  throw new Error(`the output ended without "${text}"`)
}
