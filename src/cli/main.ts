import { processIo } from './process-io.ts'
import { runCli } from './run-cli.ts'

/** Where bin/assay.mjs comes in. The exit code is set, not forced, so that everything written still gets out. */
export async function main(options = { isChildOfLauncher: false }): Promise<void> {
  process.exitCode = await runCli(processIo(options))
}
