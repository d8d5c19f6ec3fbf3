/** The state of an array task, as Slurm reports it. */
export interface TaskState {
  /** The number of its array, as `sbatch` printed it. */
  readonly job: string
  readonly task: number
  /** In Slurm's words, in full: `RUNNING`, `NODE_FAIL`. */
  readonly state: string
  /** The node, or why it waits; '' if neither is known. */
  readonly where: string
}

/** The format that `squeue` should print; arrays are expanded, one line per task. */
export const squeueFormat = '%j|%F|%K|%T|%N'

export interface NamedState extends TaskState {
  readonly name: string
}

/** Parses lines in {@link squeueFormat}. Jobs that are not array tasks are skipped. */
export function parseSqueue(text: string): readonly NamedState[] {
  return rows(text).flatMap(([name = '', job = '', task = '', state = '', where = '']) =>
    /^\d+$/.test(task) ? [{ name, job, task: Number(task), state: wordOf(state), where }] : [],
  )
}

export const sacctFields = 'JobID,State,ExitCode,NodeList'

/**
 * Parses lines of `sacct -X -n -P`. Tasks that still wait together (`12_[3-9]`) are expanded, as far as they are
 * listed.
 */
export function parseSacct(text: string): readonly TaskState[] {
  return rows(text).flatMap(([id = '', state = '', , where = '']) => {
    const [, job, tasks = ''] = /^(\d+)_(.+)$/.exec(id) ?? []
    if (job === undefined) return []
    return taskNumbers(tasks).map(task => ({ job, task, state: wordOf(state), where: nodeOf(where) }))
  })
}

/** `scontrol -o show job 12`: one line per task. */
export function parseScontrol(text: string): readonly TaskState[] {
  return text.split('\n').flatMap(line => {
    const [job, tasks] = [fieldIn(line, 'ArrayJobId'), fieldIn(line, 'ArrayTaskId')]
    if (job === null || tasks === null) return []
    const where = nodeOf(fieldIn(line, 'NodeList') ?? '')
    return taskNumbers(tasks).map(task => ({ job, task, state: wordOf(fieldIn(line, 'JobState') ?? ''), where }))
  })
}

export interface ClusterFacts {
  /** An array has fewer tasks than this. */
  readonly maxArraySize: number
  readonly hasAccounting: boolean
}

/** `scontrol show config`. */
export function parseConfig(text: string): ClusterFacts {
  const value = (key: string) => new RegExp(`^${key}\\s*=\\s*(\\S+)`, 'm').exec(text)?.[1]
  const maxArraySize = Number(value('MaxArraySize') ?? defaultArraySize)
  const accounting = value('AccountingStorageType') ?? 'none'
  return { maxArraySize, hasAccounting: !/none$|^\(null\)$/.test(accounting) }
}

/** Slurm's own default. */
export const defaultArraySize = 1001

/** States in which a task may still do something. */
const alive = new Set([
  ...['PENDING', 'CONFIGURING', 'RUNNING', 'COMPLETING', 'SUSPENDED', 'STOPPED', 'RESIZING', 'SIGNALING', 'STAGE_OUT'],
  ...['REQUEUED', 'REQUEUE_FED', 'REQUEUE_HOLD', 'RESV_DEL_HOLD', 'SPECIAL_EXIT'],
])

export const isOver = (state: string): boolean => !alive.has(state)

/** Whether Slurm or a user took the work away, as opposed to a failure. */
export const isTakenAway = (state: string): boolean =>
  ['CANCELLED', 'PREEMPTED', 'NODE_FAIL', 'REVOKED'].includes(state)

export function stateInWords(state: string): string {
  switch (state) {
    case 'CANCELLED':
      return 'was cancelled'
    case 'PREEMPTED':
      return 'was preempted'
    case 'NODE_FAIL':
      return 'was lost with its node'
    case 'TIMEOUT':
      return 'ran over its time limit'
    case 'OUT_OF_MEMORY':
      return 'used more memory than it asked for'
    case 'BOOT_FAIL':
      return 'was given a node that did not start'
    case 'FAILED':
      return 'failed'
    case 'COMPLETED':
      return 'ended'
    case unknownState:
      return 'is gone, and Slurm does not say how it ended'
    default:
      return `ended as ${state}`
  }
}

/** The state of a task that Slurm has forgotten. */
export const unknownState = 'UNKNOWN'

const rows = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => line.split('|').map(cell => cell.trim()))

/** `CANCELLED by 1000`, `CANCELLED+` */
const wordOf = (state: string): string => /^[A-Z_]+/.exec(state)?.[0] ?? unknownState

const nodeOf = (list: string): string => (list === '(null)' || list.startsWith('None') ? '' : list)

const fieldIn = (line: string, key: string): string | null =>
  new RegExp(`(?:^|\\s)${key}=(\\S*)`).exec(line)?.[1] ?? null

/** `3`, or `[0-4,7%2]`; an abbreviated list (`[1-5,...]`) is read as far as it goes. */
function taskNumbers(text: string): readonly number[] {
  const inside = text.replace(/^\[|\]$|%\d+/g, '')
  return inside.split(',').flatMap(part => {
    const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? []
    if (from === undefined) return []
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at)
  })
}
