import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AssayError, messageOf } from '../util/errors.ts'
import { type Controls, controlRoutes } from './control.ts'
import { Datasets } from './experiments/datasets.ts'
import type { Experiments } from './experiments/experiments.ts'
import { Headlines } from './experiments/headlines.ts'
import { Overviews } from './experiments/overviews.ts'
import { eventStream } from './live/event-stream.ts'
import { HostWatch } from './live/host-usage.ts'
import { LiveProgress } from './live/live-progress.ts'
import { livePage } from './page.ts'
import { runRoutes } from './runs/run-routes.ts'
import { type GuardOptions, guard } from './security/guard.ts'

export interface AppOptions extends GuardOptions {
  readonly experiments: Experiments
  readonly controls: Controls
  /** Streams end when it does. */
  readonly closing: AbortSignal
}

/** Everything that can be asked. Experiments are named by `dir`, their path from the root, runs by their name. */
export function dashboardApp({ experiments, controls, closing, ...guarding }: AppOptions): Hono {
  const app = new Hono()
  const datasets = new Datasets(experiments.root)
  const headlines = new Headlines(experiments.root)
  const progress = new LiveProgress()
  const overviews = new Overviews(experiments)
  const host = new HostWatch()
  const page = livePage()
  const named = (context: Context): string => experiments.directory(context.req.query('dir') ?? '')

  app.use(guard(guarding))
  app.use(bodyLimit({ maxSize: mostBodyBytes, onError: context => context.json({ error: tooLarge }, 413) }))
  for (const path of ['/', '/experiment', '/compare']) app.get(path, context => context.html(page.html))
  app.get('/live.js', context => asset(context, page.script, 'text/javascript'))
  app.get('/live.css', context => asset(context, page.style, 'text/css'))

  app.get('/api/experiments', context => context.json(overviews.all()))
  app.get('/api/headline', async context => context.json(await headlines.of(named(context))))
  app.get('/api/progress', context => context.json(progress.of(named(context))))
  app.get('/api/events', context => {
    if (context.req.query('dir') === undefined)
      return eventStream(context, closing, () => ({ experiments: overviews.all(), host: host.look() }))
    const dir = named(context)
    return eventStream(context, closing, () => ({ progress: progressOrProblem(progress, dir), host: host.look() }))
  })
  app.get('/api/dataset', async context => {
    const dirs = (context.req.queries('dir') ?? []).map(id => experiments.directory(id))
    if (dirs.length === 0) throw new AssayError('usage', 'dir=… is missing: which experiment?')
    const { version, gzipped } = await datasets.of(dirs)
    context.header('etag', `"${version}"`)
    if (context.req.header('if-none-match') === `"${version}"`) return context.body(null, 304)
    context.header('content-type', 'application/octet-stream')
    context.header('content-encoding', 'gzip')
    return context.body(new Uint8Array(gzipped))
  })
  app.route('/api', runRoutes(experiments))
  app.route(
    '/api',
    controlRoutes(experiments, controls, dir => progress.forget(dir)),
  )

  app.notFound(context => context.json({ error: `there is no ${context.req.path} here` }, 404))
  app.onError((error, context) => {
    const { code, hint } = error instanceof AssayError ? error : { code: 'internal', hint: undefined }
    const status = code === 'not_found' ? 404 : code === 'usage' ? 400 : code === 'internal' ? 500 : 409
    return context.json({ error: messageOf(error), ...(hint === undefined ? {} : { hint }) }, status)
  })
  return app
}

/** A control or a few limits, as JSON: all that is ever sent here. */
const mostBodyBytes = 64 * 1024
const tooLarge = `a request has ${mostBodyBytes / 1024} kB at most`

/** Its address changes with its content, so it may be kept. */
function asset(context: Context, text: string, type: string): Response {
  context.header('content-type', `${type}; charset=utf-8`)
  context.header('cache-control', 'private, max-age=31536000, immutable')
  return context.body(text)
}

/** An experiment may be deleted while its page is open. */
function progressOrProblem(progress: LiveProgress, dir: string): unknown {
  try {
    return progress.of(dir)
  } catch (error) {
    return { problem: messageOf(error) }
  }
}
