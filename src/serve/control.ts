import { Hono } from 'hono'
import * as z from 'zod'
import type { Control } from '../record/journal/experiment-row.ts'
import { AssayError } from '../util/errors.ts'
import type { JsonObject } from '../util/json.ts'
import type { Experiments } from './experiments/experiments.ts'
import { readJournal } from './experiments/read-journal.ts'

/** What the dashboard may do to an experiment: the same as the command line. */
export interface Controls {
  /** Asks all processes working on it, and returns them. */
  control(dir: string, wanted: Control): readonly { readonly kind: string; readonly pid: number }[]
  /** `jobs=4`, `budget_usd=30`: as `assay set` reads them. */
  setLimits(dir: string, changes: readonly string[]): JsonObject
}

const controlAsked = z.lazy(() => z.object({ dir: z.string(), control: z.enum(['go', 'pause', 'stop', 'stop_now']) }))
const limitsAsked = z.lazy(() => z.object({ dir: z.string(), set: z.array(z.string().max(200)).min(1).max(20) }))

/** Pause, resume, stop and limits. */
export function controlRoutes(experiments: Experiments, controls: Controls, changed: (dir: string) => void): Hono {
  const routes = new Hono()
  const writable = (id: string): string => {
    const dir = experiments.directory(id)
    // A journal that would have to be upgraded first is refused here, and not changed.
    readJournal(dir, () => undefined)
    return dir
  }
  routes.post('/control', async context => {
    const { dir: id, control } = parsed(controlAsked, await context.req.text())
    const dir = writable(id)
    const workers = controls.control(dir, control)
    changed(dir)
    return context.json({ control, workers })
  })
  routes.post('/limits', async context => {
    const { dir: id, set } = parsed(limitsAsked, await context.req.text())
    const dir = writable(id)
    const limits = controls.setLimits(dir, set)
    changed(dir)
    return context.json({ limits })
  })
  return routes
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    const [issue] = error instanceof z.ZodError ? error.issues : []
    const where = issue === undefined ? 'the request is not JSON' : `${issue.path.join('.')}: ${issue.message}`
    throw new AssayError('usage', where, { cause: error })
  }
}
