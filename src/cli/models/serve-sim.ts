import { startSimServer } from '../../models/sim/server/sim-server.ts'
import { AssayError, messageOf, systemCode } from '../../util/errors.ts'
import { type Io, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { chooseModels } from './chosen-models.ts'

/** `assay models serve-sim`: runs until it is interrupted. */
export async function serveSim(words: readonly string[], options: Options, io: Io): Promise<number> {
  const { settings } = chooseModels(words, options, io)
  const port = options.port ?? 4010
  if (port > 65_535) throw new AssayError('usage', `--port: expected at most 65535, got ${port}`)
  // Set before anything is printed: a reader of the output may interrupt at once.
  const interrupted = new Promise<void>(resolve => void io.onSignal(() => resolve()))
  const keys = options.keyless ? 'not_needed' : 'any'
  const server = await startSimServer({ settings, port, seed: seedOf(options), keys }).catch(error => {
    throw cannotListen(error, port)
  })
  const { address, models } = server
  if (options.json) io.stdout.write(`${JSON.stringify({ kind: 'sim_server', address, models })}\n`)
  else
    writeLines(io.stdout, [
      `simulated models at ${address}, until Ctrl-C`,
      `  ${models.join('  ')}`,
      '',
      'for programs that speak to OpenAI (chat completions, responses, embeddings):',
      `  export OPENAI_BASE_URL=${address}`,
      '  export OPENAI_API_KEY=any-text',
      'for programs that speak to Anthropic (messages):',
      `  export ANTHROPIC_BASE_URL=${address.replace(/\/v1$/, '')}`,
      '  export ANTHROPIC_API_KEY=any-text',
      '',
      `what was charged: ${address.replace(/\/v1$/, '')}/sim/bill`,
    ])
  await interrupted
  await server.close()
  return 0
}

function seedOf({ seed }: Options): number {
  const number = Number(seed ?? 1)
  if (Number.isInteger(number)) return number
  throw new AssayError('usage', `--seed: expected a whole number, got ${JSON.stringify(seed)}`)
}

function cannotListen(error: unknown, port: number): AssayError {
  const isTaken = systemCode(error) === 'EADDRINUSE'
  return new AssayError(
    'usage',
    isTaken ? `port ${port} is taken` : `can't listen on port ${port}: ${messageOf(error)}`,
    {
      hint: 'choose another with --port, or --port 0 for any free one',
      cause: error,
    },
  )
}
