import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BuildOptions } from '../../../../src/process/sandbox/box.ts'
import { chooseSandbox, discardFiles, recipeOf } from '../../../../src/process/sandbox/sandbox.ts'
import { folderWith } from '../../../support/assay.ts'

/** An engine that answers, has no images and can pull none; it records its command lines. */
const offline = `#!/bin/sh
echo "$*" >> "$(dirname "$0")/told"
case "$1" in
  version) echo 27.0.0 ;;
  pull|build) echo "dial tcp: lookup registry: no such host" >&2; exit 1 ;;
  image) exit 1 ;;
esac
`

const engine = () => {
  const bin = folderWith({ docker: offline })
  const told = () => (existsSync(join(bin, 'told')) ? readFileSync(join(bin, 'told'), 'utf8').trim().split('\n') : [])
  return { env: { PATH: `${bin}:/usr/bin:/bin` }, told }
}

const options = (cacheDir: string): BuildOptions => ({
  ...{ provided: [], network: true, timeoutMs: 60_000, cacheDir, token: 'token' },
})

describe('an engine without access to images', () => {
  it.each([
    ['an image', null, "the image python:3.12-slim is not here and can't be pulled (docker pull: dial tcp"],
    ['a Dockerfile', 'FROM python:3.12-slim\n', "the environment can't be built: docker build: dial tcp"],
  ])('is reported for %s, with bubblewrap as alternative', async (_, dockerfile, message) => {
    const { env } = engine()
    const sandbox = await chooseSandbox('auto', env)
    expect(sandbox).toMatchObject({ backend: 'docker', version: '27.0.0' })
    const context = folderWith(dockerfile === null ? {} : { Dockerfile: dockerfile })
    const recipe = recipeOf({
      dockerfile: dockerfile === null ? null : join(context, 'Dockerfile'),
      context,
      image: 'python:3.12-slim',
    })
    await expect(sandbox.build(recipe, options(context))).rejects.toMatchObject({
      code: 'unsupported_environment',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('--sandbox bubblewrap'),
    })
  })
})

describe('files of a box that a container keeps', () => {
  it('are deleted together with the container and its image', async () => {
    const { env, told } = engine()
    const files = folderWith()
    writeFileSync(
      join(files, 'container.json'),
      JSON.stringify({ container: 'assay-1', image: 'localhost/assay-files:2' }),
    )
    await discardFiles(files, env)
    expect(existsSync(files)).toBe(false)
    expect(told()).toEqual(expect.arrayContaining(['rm --force assay-1', 'rmi --force localhost/assay-files:2']))
  })

  it('need no engine if none holds them', async () => {
    const { env, told } = engine()
    const files = folderWith({ 'u/root/app/x': 'x' })
    await discardFiles(files, env)
    expect(existsSync(files)).toBe(false)
    expect(told()).toEqual([])
  })
})
