import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BuildOptions } from '../../../../src/process/sandbox/box.ts'
import { pruneBuilds } from '../../../../src/process/sandbox/build/cached.ts'
import { isProvided } from '../../../../src/process/sandbox/build/provided.ts'
import { parseDockerfile } from '../../../../src/process/sandbox/dockerfile/dockerfile.ts'
import { chooseSandbox } from '../../../../src/process/sandbox/sandbox.ts'
import { messageOf } from '../../../../src/util/errors.ts'
import { temporaryDirectory } from '../../support.ts'
import { keep } from '../world.ts'

const bubblewrap = await chooseSandbox('bubblewrap', process.env).catch(messageOf)

function prepared(changes: Partial<BuildOptions> = {}) {
  const dir = temporaryDirectory()
  const lines: string[] = []
  mkdirSync(join(dir, 'context/app'), { recursive: true })
  writeFileSync(join(dir, 'context/app/file.txt'), 'copied\n')
  const options: BuildOptions = {
    provided: [],
    network: false,
    timeoutMs: 120_000,
    cacheDir: join(dir, 'cache'),
    token: `build-${dir}`,
    onLine: line => lines.push(line),
    ...changes,
  }
  const recipe = (...text: string[]) => parseDockerfile(['FROM image:1', ...text].join('\n'), join(dir, 'context'))
  return { dir, options, recipe, lines }
}

describe.skipIf(typeof bubblewrap === 'string')(
  `bubblewrap${typeof bubblewrap === 'string' ? ` (skipped: ${bubblewrap})` : ''}`,
  () => {
    if (typeof bubblewrap === 'string') return
    const sandbox = bubblewrap

    it('builds an environment once, from the host and the steps', async () => {
      const { options, recipe, lines } = prepared()
      const steps = recipe('ENV WHO=me', 'WORKDIR /app', 'COPY app .', 'RUN echo "built by $WHO" > made; cat file.txt')
      const roots = await Promise.all([1, 2, 3].map(() => sandbox.build(steps, options)))
      expect(roots[1]).toEqual(roots[0])
      expect(lines.filter(line => line === 'copied')).toHaveLength(1)
      const [root] = roots
      if (root === undefined) throw new Error('nothing was built')
      expect(root).toMatchObject({ workdir: '/app', env: { WHO: 'me' }, skipped: [] })
      expect(root.notes).toContain('programs of the host instead of the image image:1')
      const check = {
        name: 'sees what was built',
        run: async (world: Parameters<Parameters<typeof keep>[0]['run']>[0]) => {
          const box = await world.open({ workdir: root.workdir })
          const ran = await world.sh(box, 'cat made file.txt; echo more >> made')
          expect(ran.text).toBe('built by me\ncopied\n')
          expect((await box.diff({ mostBytes: 1e6 })).patch).toMatch(/^diff --git a\/made b\/made\n.*\+more\n$/s)
        },
      }
      await keep(check, sandbox, root)
    })

    it('builds again when a file or a step changes', async () => {
      const { dir, options, recipe } = prepared()
      const first = await sandbox.build(recipe('COPY app /app'), options)
      writeFileSync(join(dir, 'context/app/file.txt'), 'other\n')
      const second = await sandbox.build(recipe('COPY app /app'), options)
      const third = await sandbox.build(recipe('COPY app /app', 'RUN true'), options)
      expect(new Set([first.id, second.id, third.id]).size).toBe(3)
      expect(readdirSync(options.cacheDir).sort()).toEqual([first.id, second.id, third.id].sort())
    })

    it('names the failing step, its line and its output', async () => {
      const { options, recipe } = prepared()
      const steps = recipe('RUN true', 'RUN echo "E: no network" >&2; exit 100')
      await expect(sandbox.build(steps, options)).rejects.toMatchObject({
        code: 'unsupported_environment',
        message: expect.stringMatching(/line 3: the step failed with exit code 100: RUN echo .*\(E: no network\)/),
        facts: { line: 3, output: ['E: no network'] },
      })
      expect(readdirSync(options.cacheDir)).toEqual([])
    })

    it('skips steps that the host provides, and says so', async () => {
      const { options, recipe } = prepared({ provided: ['pip3 install pytest*', 'apt-get *'] })
      const root = await sandbox.build(
        recipe('RUN apt-get update && apt-get install -y git', 'RUN pip3 install pytest==8'),
        options,
      )
      expect(root.skipped).toEqual(['RUN apt-get update && apt-get install -y git', 'RUN pip3 install pytest==8'])
      expect(root.layer).toBeNull()
    })

    it('ends a step after its time limit', async () => {
      const { options, recipe } = prepared({ timeoutMs: 1000 })
      await expect(sandbox.build(recipe('RUN sleep 1000'), options)).rejects.toThrow(/line 2: the step took too long/)
    })

    it('leaves out files in .dockerignore', async () => {
      const { dir, options, recipe } = prepared()
      writeFileSync(join(dir, 'context/.dockerignore'), '# secret\n**/*.key\n!app/public.key\n')
      for (const name of ['private.key', 'public.key']) writeFileSync(join(dir, 'context/app', name), name)
      const root = await sandbox.build(recipe('COPY . /all'), options)
      const check = {
        name: 'has only the rest',
        run: async (world: Parameters<Parameters<typeof keep>[0]['run']>[0]) => {
          expect((await world.sh(await world.open(), 'ls /all/app')).text).toBe('file.txt\npublic.key\n')
        },
      }
      await keep(check, sandbox, root)
    })
  },
)

it('refuses to run steps without a sandbox', async () => {
  const sandbox = await chooseSandbox('process', process.env)
  const { options, recipe } = prepared()
  await expect(sandbox.build(recipe('RUN rm -rf /'), options)).rejects.toThrow(/line 2.*would change this machine/)
})

it('matches provided steps as a whole or command by command', () => {
  const [step] = parseDockerfile('FROM x\nRUN apt-get update && pip install a   b', null).steps
  if (step === undefined) throw new Error('there is a step')
  expect(isProvided(step, ['apt-get update*'])).toBe(true)
  expect(isProvided(step, ['apt-get update', 'pip install a b'])).toBe(true)
  expect(isProvided(step, ['apt-get update', 'npm *'])).toBe(false)
  expect(isProvided(step, [])).toBe(false)
})

it('prunes the least recently used first', () => {
  const cacheDir = temporaryDirectory()
  const ids = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(32))
  for (const [index, id] of ids.entries()) {
    mkdirSync(join(cacheDir, id))
    writeFileSync(join(cacheDir, id, 'file'), 'x'.repeat(1000))
    utimesSync(join(cacheDir, id), index, index)
  }
  expect(pruneBuilds(cacheDir, { most: 3, mostBytes: 1e9, usedSince: 1e12 })).toEqual([ids[0]])
  expect(pruneBuilds(cacheDir, { most: 3, mostBytes: 2500, usedSince: 1e12 })).toEqual([ids[1]])
  expect(pruneBuilds(cacheDir, { most: 0, mostBytes: 0, usedSince: 0 })).toEqual([])
  expect(readdirSync(cacheDir)).toEqual([ids[2], ids[3]])
})
