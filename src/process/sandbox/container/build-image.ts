import * as z from 'zod'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { sha256OfJson } from '../../../util/hash.ts'
import { plainOutput } from '../../../util/words.ts'
import { type BuildOptions, hostRoot, type Root } from '../box.ts'
import { digestOf } from '../build/context-files.ts'
import type { Recipe } from '../recipe.ts'
import { type Engine, useFallback } from './engine.ts'

/** The task's own image: pulled if it is only named, built if there is a Dockerfile, and named by its content. */
export async function buildImage(engine: Engine, recipe: Recipe, options: BuildOptions): Promise<Root> {
  const { dockerfile, context, image } = recipe
  const notes = options.provided.length === 0 ? [] : ['all steps are run in the image: nothing of the host is used']
  if (dockerfile !== null && context !== null) {
    const id = sha256OfJson([digestOf(dockerfile), digestOf(context)]).slice(0, 32)
    const tag = `localhost/assay-environment:${id}`
    if (!(await isThere(engine, tag))) await build(engine, tag, dockerfile, context, options)
    return { ...hostRoot, ...(await settingsOf(engine, tag)), id, image: tag, notes }
  }
  if (image === null)
    throw new AssayError('unsupported_environment', `${engine.backend} needs an image or a Dockerfile`)
  if (!(await isThere(engine, image))) await pull(engine, image, options)
  return { ...hostRoot, ...(await settingsOf(engine, image)), image, notes }
}

async function isThere(engine: Engine, image: string): Promise<boolean> {
  return await engine.call(['image', 'inspect', image]).then(
    () => true,
    () => false,
  )
}

async function build(engine: Engine, tag: string, dockerfile: string, context: string, options: BuildOptions) {
  const attempt = () =>
    engine.call(
      [
        ...['build', ...engine.settings.build, '--tag', tag, '--file', dockerfile],
        ...(options.network ? [] : ['--network', 'none']),
        context,
      ],
      { timeoutMs: options.timeoutMs, ...(options.signal === undefined ? {} : { signal: options.signal }) },
    )
  const output = await attempt()
    .catch(error => {
      if (useFallback(engine, messageOf(error))) return attempt()
      throw error
    })
    .catch(error => {
      options.signal?.throwIfAborted()
      throw notHad(engine, `the environment can't be built: ${messageOf(error)}`, error)
    })
  for (const line of plainOutput(output).split('\n').filter(Boolean)) options.onLine?.(line)
}

async function pull(engine: Engine, image: string, { network, timeoutMs, signal }: BuildOptions): Promise<void> {
  if (!network) throw notHad(engine, `the image ${image} is not here, and there is no network to pull it`)
  await engine.call(['pull', image], { timeoutMs, ...(signal === undefined ? {} : { signal }) }).catch(error => {
    signal?.throwIfAborted()
    throw notHad(engine, `the image ${image} is not here and can't be pulled (${messageOf(error)})`, error)
  })
}

/** Where `auto` has taken an engine that can get no images, the programs of this machine may do. */
const notHad = ({ backend }: Engine, message: string, cause?: unknown): AssayError =>
  new AssayError('unsupported_environment', message, {
    hint: `Without ${backend}: --sandbox bubblewrap (or SANDBOX_BACKEND=bubblewrap) takes the programs of this machine instead of an image.`,
    cause,
  })

const configSchema = z.lazy(() =>
  z.tuple([
    z.object({ Id: z.string(), Config: z.object({ WorkingDir: z.string().optional(), User: z.string().optional() }) }),
  ]),
)

async function settingsOf(engine: Engine, image: string): Promise<Pick<Root, 'id' | 'workdir' | 'user'>> {
  const [{ Id, Config }] = configSchema.parse(JSON.parse(await engine.call(['image', 'inspect', image])))
  return { id: Id, workdir: Config.WorkingDir || '/', user: Config.User || null }
}
