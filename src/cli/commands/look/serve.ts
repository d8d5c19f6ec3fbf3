import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type Dashboard, startDashboard } from '../../../serve/dashboard.ts'
import { AssayError, messageOf, systemCode } from '../../../util/errors.ts'
import { counted } from '../../../util/words.ts'
import { type Io, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { askWorkers } from '../run/control.ts'
import { changeLimits } from '../run/set.ts'

const defaultPort = 4020

/** How many further ports are tried if the port is taken, unless it was given explicitly. */
const moreTried = 20

/** `assay serve`: runs until it is interrupted. */
export async function serveCommand([named]: readonly string[], options: Options, io: Io): Promise<number> {
  const root = rootOf(named, io)
  const { port = defaultPort, host = '127.0.0.1' } = options
  if (port > 65_535) throw new AssayError('usage', `--port: expected at most 65535, got ${port}`)
  // Set before anything is printed: a reader of the output may interrupt at once.
  const interrupted = new Promise<void>(done => void io.onSignal(() => done()))
  const dashboard = await startDashboard({
    root,
    host,
    port,
    more: Math.min(moreTried, 65_535 - port),
    controls: { control: askWorkers, setLimits: changeLimits },
  }).catch(error => {
    throw cannotListen(error, host, port)
  })
  tell(dashboard, root, options, io)
  if (options.open) openBrowser(dashboard, io)
  await interrupted
  await dashboard.close()
  return 0
}

function rootOf(named: string | undefined, { cwd }: Io): string {
  const root = resolve(cwd, named ?? (existsSync(resolve(cwd, 'results')) ? 'results' : '.'))
  const found = statSync(root, { throwIfNoEntry: false })
  if (found?.isDirectory()) return root
  throw new AssayError('not_found', `${named} ${found === undefined ? 'does not exist' : 'is not a folder'}`, {
    hint: 'give the folder that experiments are in: `results`, or that of one experiment',
  })
}

function tell(
  { url, elsewhere, address, token, experiments }: Dashboard,
  root: string,
  options: Options,
  io: Io,
): void {
  if (options.json) {
    io.stdout.write(`${JSON.stringify({ kind: 'dashboard', url, address, token, root, experiments })}\n`)
    return
  }
  writeLines(io.stdout, [
    // On lines of their own: a comma after an address would be copied with the token.
    'dashboard, until Ctrl-C, at',
    `  ${url}`,
    ...(elsewhere.length === 0 ? [] : ['from other machines at', ...elsewhere.map(one => `  ${one}`)]),
    `  ${counted(experiments, 'experiment')} under ${relative(io.cwd, root) || '.'}`,
    ...(token === null
      ? []
      : ['  anyone with this address can view these experiments, and pause, stop or change them']),
  ])
}

/** Opens the address with the system's own program; if there is none, the address was printed. */
function openBrowser({ url, token }: Dashboard, io: Io): void {
  if (token !== null) {
    io.stderr.write(
      '--open: open the address yourself; on a command line every user of this machine could read its token\n',
    )
    return
  }
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], { stdio: 'ignore', detached: true })
  child.on('error', error => io.stderr.write(`can't open a browser (${messageOf(error)}): open the address yourself\n`))
  child.unref()
}

function cannotListen(error: unknown, host: string, port: number): AssayError {
  if (error instanceof AssayError) return error
  const code = systemCode(error)
  const hint =
    code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
      ? '--host takes an address of this machine, such as 0.0.0.0 for all of them'
      : 'choose another with --port, or --port 0 for any free one'
  const reason = code === 'EADDRINUSE' ? 'port is taken' : messageOf(error)
  return new AssayError('usage', `can't listen on ${host}, port ${port}: ${reason}`, { hint, cause: error })
}
