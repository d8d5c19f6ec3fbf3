import type { Listener } from '../../../engine/call.ts'
import type { Output } from '../../io.ts'

/** `run --json`: one event per line, in the order they happen. */
export function jsonView(output: Output): Listener {
  return event => output.write(`${JSON.stringify(event)}\n`)
}
