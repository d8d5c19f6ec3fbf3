import { readFileSync } from 'node:fs'
import { AssayError, messageOf } from '../../util/errors.ts'
import { listed } from '../../util/words.ts'
import { endOrphans } from '../end.ts'
import type { Environment } from '../spawn/starter.ts'
import type { Backend, Sandbox } from './box.ts'
import { openBubblewrap } from './bubblewrap/bubblewrap.ts'
import { discardContainer, openContainers, removeContainers } from './container/container.ts'
import { parseDockerfile } from './dockerfile/dockerfile.ts'
import { removeGroups } from './limits/cgroups.ts'
import { processSandbox } from './plain/process-sandbox.ts'
import type { Recipe } from './recipe.ts'
import { removeFolder } from './transfer/remove-folder.ts'

/**
 * The sandbox of that name, or with `auto` the best one that works here. Never one without isolation unless it is named
 * explicitly. Rejects with the reason why each of them can't be used.
 */
export async function chooseSandbox(wanted: Backend | 'auto', env: Environment): Promise<Sandbox> {
  const reasons: string[] = []
  for (const backend of wanted === 'auto' ? automatic : [wanted])
    try {
      return await openers[backend](env)
    } catch (error) {
      reasons.push(`${backend}: ${messageOf(error).replace(/[.?!]+$/, '')}`)
    }
  if (wanted !== 'auto')
    throw new AssayError('unsupported_environment', `the sandbox ${reasons.join('')}`, {
      hint: 'Take another one: --sandbox auto takes the first of docker, podman and bubblewrap that works here; `assay doctor` says which.',
      facts: { reasons },
    })
  throw new AssayError('unsupported_environment', `no sandbox can be used here: ${listed(reasons)}`, {
    hint: 'Install bubblewrap (apt-get install bubblewrap), or run without any isolation with --sandbox process.',
    facts: { reasons },
  })
}

const automatic = ['docker', 'podman', 'bubblewrap'] as const satisfies readonly Backend[]

const openers: Readonly<Record<Backend, (env: Environment) => Promise<Sandbox>>> = {
  docker: env => openContainers('docker', env),
  podman: env => openContainers('podman', env),
  bubblewrap: openBubblewrap,
  process: async () => processSandbox,
}

/** How the environment of a Dockerfile is made, or that of an image alone. Throws where a step is not understood. */
export const recipeOf = ({ dockerfile, context, image }: Pick<Recipe, 'dockerfile' | 'context' | 'image'>): Recipe =>
  dockerfile === null
    ? { image, context, dockerfile, steps: [], notes: [] }
    : parseDockerfile(readFileSync(dockerfile, 'utf8'), context, dockerfile)

/** Deletes a folder that boxes of any sandbox wrote to, and the container that represents it. */
export async function discardFiles(files: string, env: Environment = process.env): Promise<void> {
  await discardContainer(files, env)
  removeFolder(files)
}

/** After a crash: ends everything that boxes of these attempts left behind. */
export async function endSandboxes(tokens: readonly string[], env: Environment = process.env): Promise<void> {
  if (tokens.length === 0) return
  for (const engine of ['docker', 'podman'] as const) await removeContainers(engine, tokens, env)
  // Mounts are in namespaces of the boxes' own, which end with their processes.
  await endOrphans(
    tokens.map(token => ({ token, pid: null, startTime: null })),
    0,
  )
  await removeGroups(tokens)
}
