import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { type Context, Hono } from 'hono'
import { AssayError } from '../../util/errors.ts'
import type { Experiments } from '../experiments/experiments.ts'
import { readJournal } from '../experiments/read-journal.ts'
import { fileInside } from '../security/file-inside.ts'
import { filePage, openPlain, pageBytes } from './file-page.ts'
import { folderOfRun, runDetails, runStory, runTrajectory } from './run-details.ts'

/** A run, its trajectory or story, and its files. */
export function runRoutes(experiments: Experiments): Hono {
  const routes = new Hono()
  const { root } = experiments
  routes.get('/run', context => {
    const dir = experiments.directory(given(context, 'dir'))
    return context.json(readJournal(dir, journal => runDetails(journal, root, dir, given(context, 'run'))))
  })
  routes.get('/trajectory', context => {
    const dir = experiments.directory(given(context, 'dir'))
    const found = readJournal(dir, journal =>
      runTrajectory(journal, root, dir, given(context, 'run'), whole(context, 'from', 1)),
    )
    if (found === null) throw new AssayError('not_found', 'this run has no trajectory.json')
    return context.json(found)
  })
  routes.get('/story', context => {
    const dir = experiments.directory(given(context, 'dir'))
    const found = readJournal(dir, journal =>
      runStory(journal, root, dir, given(context, 'run'), whole(context, 'from', 1)),
    )
    if (found === null) throw new AssayError('not_found', 'this run has no scenario-state.json')
    return context.json(found)
  })
  routes.get('/file', context => {
    const dir = experiments.directory(given(context, 'dir'))
    const folder = readJournal(dir, journal => folderOfRun(journal, dir, given(context, 'run')))
    const file = fileInside(root, folder, given(context, 'path'))
    return context.req.query('download') === undefined ? page(context, file) : download(context, file)
  })
  return routes
}

/** Always served as text, whatever it looks like. */
function page(context: Context, file: string): Response {
  const most = whole(context, 'bytes', pageBytes)
  if (most < 0) throw new AssayError('usage', `bytes: expected a number from 0 on, got ${most}`)
  const { bytes, from, size } = filePage(file, whole(context, 'from', 0), most)
  context.header('content-type', 'text/plain; charset=utf-8')
  context.header('x-file-from', String(from))
  context.header('x-file-size', String(size))
  return context.body(new Uint8Array(bytes))
}

/** Piece by piece, so that a huge file needs no memory; saved, never shown. */
function download(context: Context, file: string): Response {
  const stream = createReadStream('', { fd: openPlain(file) })
  context.header('content-type', 'application/octet-stream')
  context.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(basename(file))}`)
  // Node's and the web's streams are the same thing here; their types are not.
  return context.body(Readable.toWeb(stream) as ReadableStream)
}

function given(context: Context, name: string): string {
  const value = context.req.query(name)
  if (value === undefined) throw new AssayError('usage', `${name}=… is missing`)
  return value
}

function whole(context: Context, name: string, usual: number): number {
  const text = context.req.query(name)
  if (text === undefined) return usual
  if (!/^-?\d{1,15}$/.test(text))
    throw new AssayError('usage', `${name}: expected a whole number, got ${JSON.stringify(text)}`)
  return Number(text)
}
