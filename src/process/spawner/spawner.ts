import { messageOf, systemCode } from '../../util/errors.ts'
import { spawnGroup } from '../spawn-group.ts'
import { lineSplitter, type Reply, type Request } from './protocol.ts'

/**
 * A process that does nothing but start others. Starting a program copies the page tables of whoever starts it:
 * from a process of 110 MB that takes 1.8 ms here, from one of 50 MB 0.9 ms. So the large one has a small one do it.
 * It ends when its input does, that is with the process it works for; what it started goes on and is found by token.
 */
const parent = process.ppid
// Errors are told by code and message: nobody sees a stack from here, and each ended group makes one.
Error.stackTraceLimit = 0
const environment = { ...process.env }

process.stdin.setEncoding('utf8').on(
  'data',
  lineSplitter(line => start(JSON.parse(line) as Request)),
)
process.stdin.once('end', () => process.exit())
reply({ kind: 'ready' })

function start({ id, ...options }: Request): void {
  // A request that its sender did not live to see carried out must not be.
  if (process.ppid !== parent) process.exit()
  try {
    const { pid, exit } = spawnGroup(options, environment)
    const started = later(() => reply({ kind: 'started', id, pid }))
    void exit.then(end => {
      const first = started() ? [] : [{ kind: 'started', id, pid } as const]
      reply(...first, { kind: 'ended', id, exit: end })
    })
  } catch (error) {
    reply({ kind: 'refused', id, code: systemCode(error), message: messageOf(error) })
  }
}

/** Tells in a moment; the returned function makes sure that it will not any more, and says whether it has. */
function later(tell: () => void): () => boolean {
  let isTold = false
  const timer = setTimeout(() => {
    isTold = true
    tell()
  }, momentMs)
  return () => {
    clearTimeout(timer)
    return isTold
  }
}

/** A program that is over by then is told of once, start and end together: waking somebody up costs as much as it does. */
const momentMs = 5

function reply(...messages: readonly Reply[]): void {
  process.stdout.write(messages.map(message => `${JSON.stringify(message)}\n`).join(''))
}
