import { Readable } from 'node:stream'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Io, Output } from '../../src/cli/io.ts'
import type { Ended, Place } from './assay.ts'

const bundle = pathToFileURL(fileURLToPath(new URL('../../dist/cli.js', import.meta.url)))

/**
 * Calls the built tool inside this process, with the working directory and the environment it would have in its own:
 * the same code without a third of a second of starting it.
 */
export async function assayInProcess(args: readonly string[], place: Place): Promise<Ended> {
  const { runCli } = (await import(bundle.href)) as { runCli(io: Io): Promise<number> }
  const stdout = collectedOutput()
  const stderr = collectedOutput()
  const leave = enter(place)
  const onExit = new Set<() => void>()
  try {
    const status = await runCli({
      argv: args,
      stdout,
      stderr,
      stdin: Readable.from([]),
      env: process.env,
      cwd: process.cwd(),
      onSignal: () => () => {},
      onExit(callback) {
        onExit.add(callback)
        return () => onExit.delete(callback)
      },
    })
    for (const callback of onExit) callback()
    return { status, signal: null, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    leave()
  }
}

let inside: Place | null = null

/** A process has one working directory and one environment, so overlapping calls need separate processes. */
function enter(place: Place): () => void {
  if (inside !== null)
    throw new Error(`assay() is still running in ${inside.cwd}: start one of the two by startAssay() instead`)
  inside = place
  const cwd = process.cwd()
  const env = { ...process.env }
  process.chdir(place.cwd)
  Object.assign(process.env, { NO_COLOR: '1', ...place.env })
  return () => {
    process.chdir(cwd)
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
    Object.assign(process.env, env)
    inside = null
  }
}

function collectedOutput(): Output & { text(): string } {
  const written: string[] = []
  return {
    write: text => void written.push(text),
    text: () => written.join(''),
    isTTY: false,
    columns: 80,
    colour: false,
    isOpen: true,
  }
}
