import type { Message, ModelAnswer, ToolCall } from '../../../models/model-call.ts'
import type { SpanScope } from '../../../models/trace/run-trace.ts'
import type { ExitStatus } from './exit.ts'
import { type Action, actionOf } from './tools.ts'
import type { CommandResult, Workplace } from './workplace.ts'

/** The results of the calls in one answer, in order. */
export interface Executed {
  /** One result for each call. */
  readonly results: readonly Message[]
  readonly execution_ms: number
  readonly result: 'used' | 'unusable' | 'timed_out'
  /** The agent has ended its work, or its place of work has. */
  readonly exit: { readonly status: ExitStatus; readonly message: string } | null
}

export interface CommandParts {
  readonly workplace: Workplace
  readonly scope: Pick<SpanScope, 'tool'>
  readonly signal: AbortSignal
  /** The time limit of the next command, after so many milliseconds of this turn. */
  timeLeft(used: number): number
}

/** Runs a model's commands one after the other: each call gets its result, whatever happened before it. */
export async function runCommands(calls: ModelAnswer['tool_calls'], parts: CommandParts): Promise<Executed> {
  const results: Message[] = []
  let execution_ms = 0
  let exit: Executed['exit'] = null
  const seen = { timedOut: false, used: false }
  for (const call of calls) {
    const action = actionOf(call)
    if (exit !== null) {
      results.push(resultOf(call, 'Not run: the work had ended before.', true))
    } else if (action.kind === 'bash') {
      const own = ownWords.get(action.command.trim())
      if (own !== undefined) exit = own
      const ran = own === undefined ? await execute(call, action, parts, execution_ms) : null
      execution_ms += ran?.wall_ms ?? 0
      seen.used = true
      seen.timedOut = ran?.how === 'timed_out'
      exit ??= ran === null ? null : brokenBy(ran)
      results.push(
        resultOf(call, ran === null ? 'The work has ended.' : resultText(ran), ran !== null && isFailed(ran)),
      )
    } else if (action.kind === 'submit') {
      seen.used = true
      exit = { status: 'submitted', message: 'it submitted its work' }
      results.push(resultOf(call, 'The work is submitted.'))
    } else results.push(resultOf(call, action.why, true))
  }
  return { results, execution_ms, exit, result: seen.timedOut ? 'timed_out' : seen.used ? 'used' : 'unusable' }
}

/** The words by which SWE-agent's agents leave without submitting. */
const ownWords: ReadonlyMap<string, NonNullable<Executed['exit']>> = new Map([
  ['exit', { status: 'exit_command', message: 'it left its shell' }],
  ['exit_forfeit', { status: 'exit_forfeit', message: 'it gave up' }],
])

function execute(
  { name, id, arguments: given }: ToolCall,
  { command }: Extract<Action, { kind: 'bash' }>,
  { workplace, scope, signal, timeLeft }: CommandParts,
  used: number,
): Promise<CommandResult> {
  return scope.tool({ name, id, arguments: given }, () => workplace.run(command, { timeoutMs: timeLeft(used), signal }))
}

/** A shell that can't even be started is not the fault of the model's command. */
const brokenBy = ({ how }: CommandResult): Executed['exit'] =>
  how === 'not_started' ? { status: 'exit_environment_error', message: 'no more shells could be started' } : null

/** A command that ends with another exit code than 0 was run: the tool has not failed. */
const isFailed = ({ how }: CommandResult): boolean => how !== 'exited'

const resultOf = ({ id, name }: ToolCall, content: string, is_error = false): Message => ({
  ...{ role: 'tool', tool_call_id: id, name, content },
  ...(is_error && { is_error }),
})

/** The output, and how it ended if that matters. */
function resultText({ output, how, exitCode, signal, wall_ms, reached }: CommandResult): string {
  const text = output.trimEnd()
  const ended = endings[how]?.(wall_ms)
  const notes = [
    ...(ended === undefined ? [] : [ended]),
    ...(how === 'exited' && exitCode !== null && exitCode !== 0 ? [`exit code ${exitCode}`] : []),
    ...(how === 'exited' && exitCode === null ? [`ended by ${signal ?? 'a signal'}`] : []),
    ...(reached.includes('processes') ? ['the limit on the number of processes was reached'] : []),
  ]
  const body = text === '' && notes.length === 0 ? '(no output)' : text
  return [...(body === '' ? [] : [body]), ...notes.map(note => `[${note}]`)].join('\n')
}

const endings: { readonly [how: string]: ((wall_ms: number) => string) | undefined } = {
  timed_out: ms =>
    `it did not end within ${Math.round(ms / 1000)} s: it was ended, with everything that ran in the background; use a shorter command, or run it in the background with its output in a file`,
  out_of_memory: () => 'ended: it used too much memory',
  out_of_storage: () => 'ended: it filled the disk',
  stopped: () => 'stopped',
  not_started: () => 'no shell could be started',
}
