import { rmSync } from 'node:fs'
import type { Environment } from '../../spawn/starter.ts'
import type { Sandbox } from '../box.ts'
import { buildImage } from './build-image.ts'
import { ContainerBox, type Kept, labelOf, readKept } from './container-box.ts'
import { type Engine, findEngine } from './engine.ts'

/** Containers of docker or podman. Rejects where the engine is missing or does not answer. */
export async function openContainers(backend: 'docker' | 'podman', env: Environment): Promise<Sandbox> {
  const engine = await findEngine(backend, env)
  const isRoot = process.getuid?.() === 0
  return {
    backend,
    version: engine.version,
    can: {
      isolation: 'container',
      images: true,
      cutsNetwork: true,
      memory: true,
      pids: true,
      storage: false,
      anyPath: true,
      writesAnywhere: true,
      otherUsers: true,
      notes: [
        'no limit on storage',
        ...(isRoot ? [] : ['ports of a box need root: programs in it reach models only through the network']),
      ],
    },
    build: (recipe, options) => buildImage(engine, recipe, options),
    open: spec => ContainerBox.open(engine, spec),
    async discard(files) {
      const kept = readKept(files)
      if (kept !== null) await remove(engine, kept)
      rmSync(files, { recursive: true, force: true })
    },
  }
}

async function remove(engine: Engine, { container, image }: Kept): Promise<void> {
  await engine.call(['rm', '--force', container]).catch(() => undefined)
  if (image !== null) await engine.call(['rmi', '--force', image]).catch(() => undefined)
}

/** For whichever engine has the container of these files; does nothing if there is none. */
export async function discardContainer(files: string, env: Environment): Promise<void> {
  const kept = readKept(files)
  if (kept === null) return
  for (const backend of ['docker', 'podman'] as const) {
    const engine = await findEngine(backend, env).catch(() => null)
    if (engine !== null) await remove(engine, kept)
  }
}

/** After a crash: removes the containers of these attempts, and the images with their files. */
export async function removeContainers(
  backend: 'docker' | 'podman',
  tokens: readonly string[],
  env: Environment,
): Promise<void> {
  const engine = await findEngine(backend, env).catch(() => null)
  if (engine === null) return
  const remove = async (list: readonly string[], command: string): Promise<void> => {
    const ids = await engine.call(list).catch(() => '')
    for (const id of ids.split('\n').filter(Boolean)) await engine.call([command, '--force', id]).catch(() => undefined)
  }
  for (const token of tokens) {
    const filter = ['--quiet', '--filter', `label=${labelOf(token)}`]
    await remove(['ps', '--all', ...filter], 'rm')
    await remove(['images', ...filter], 'rmi')
  }
}
