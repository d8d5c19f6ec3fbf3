import { AssayError } from '../util/errors.ts'
import { readCommandLine } from './command-line/read-command-line.ts'
import type { Io } from './io.ts'
import { reportError } from './report-error.ts'
import { safeIo } from './safe-output.ts'

/** Parses the command line, loads the command it names and runs it. Returns the exit code; never throws. */
export async function runCli(world: Io): Promise<number> {
  const io = safeIo(world)
  try {
    const call = readCommandLine(io)
    if (call.kind === 'print') {
      io.stdout.write(call.text)
      return 0
    }
    const command = await call.command.load()
    return await command(call.args, call.options, io)
  } catch (error) {
    return reportError(await explained(error), io)
  }
}

/** With a damaged journal, unexpected errors are to be expected: the damage is reported instead. */
async function explained(error: unknown): Promise<unknown> {
  if (error instanceof AssayError && error.code !== 'internal') return error
  const { damageBehind } = await import('../record/repair/rebuild.ts')
  return damageBehind(error) ?? error
}
