import { readCommandLine } from './command-line/read-command-line.ts'
import { processIo } from './process-io.ts'
import { runCli } from './run-cli.ts'

// For programs that call the tool inside their own process, such as its tests.
export { runCli }

/** The entry point of bin/assay.mjs. The exit code is set, not forced, so that all output is still written. */
export async function main(options = { isChildOfLauncher: false }): Promise<void> {
  const io = processIo(options)
  const code = await runCli(io)
  const lost = recordsElsewhere(io.argv) ? null : await io.lostOutput()
  if (lost !== null) io.stderr.write(`error: standard output is not complete: ${lost}\n`)
  process.exitCode = lost === null ? code : code || 2
}

/** What `assay --help` prints; the build writes it to a file. */
export function helpText(columns: number): string {
  const stdout = { write: () => {}, isTTY: false, columns, colour: false, isOpen: true }
  const call = readCommandLine({ argv: ['--help'], env: {}, stdout })
  return call.kind === 'print' ? call.text : ''
}

/**
 * The output of runs and workers for people is also recorded elsewhere; events as JSON, and the output of other
 * commands, are not.
 */
const recordsElsewhere = (argv: readonly string[]): boolean =>
  !argv.includes('--json') && (['run', 'worker', 'agent'].includes(argv[0] ?? '') || (argv[0] ?? '').startsWith('-'))
