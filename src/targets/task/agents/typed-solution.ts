import { shellQuote } from '../../../util/words.ts'
import type { Keystrokes } from '../task.ts'

/** Whether a shell that reads the commands does the same as a person who types them. */
export const isPlainCommands = (commands: readonly Keystrokes[]): boolean => commands.every(isWaitedFor)

/** terminal-bench waits only for a line that is complete. */
const isWaitedFor = ({ isBlocking, hasEnter }: Keystrokes): boolean => isBlocking && hasEnter

/**
 * A program for `sh` that types these keys into a terminal of tmux, as terminal-bench does: a word that is the name of a
 * key (`C-c`, `Escape`) is that key, all else is text. The terminal's content is printed at the end.
 */
export function typedScript(commands: readonly Keystrokes[]): string {
  return [
    'tmux() { command tmux -L assay -f /dev/null "$@"; }',
    'tmux new-session -d -s typed -x 200 -y 50 bash || exit 1',
    'finish() { tmux capture-pane -p -J -S - -t typed; tmux kill-server; exit "$1"; }',
    ...commands.flatMap(linesFor),
    'finish 0',
    '',
  ].join('\n')
}

function linesFor(one: Keystrokes): readonly string[] {
  const { command, hasEnter, minSec, maxSec } = one
  const typed = (...keys: readonly string[]) =>
    `tmux send-keys -t typed -- ${[...keys, ...(hasEnter ? ['Enter'] : [])].map(keyWord).join(' ')} || finish 1`
  if (!isWaitedFor(one)) return [typed(command), `sleep ${minSec}`]
  const late = `the command did not end within ${maxSec} s: ${command}`
  return [
    // The line must not end before its last part.
    typed(command.replace(/[\r\n]+$/, ''), '; tmux wait-for -S typed'),
    `timeout ${maxSec} tmux -L assay wait-for typed || { echo ${shellQuote(late)} >&2; finish 1; }`,
  ]
}

/** A semicolon at its end would begin another command of tmux. */
const keyWord = (key: string): string => shellQuote(key.replace(/;$/, '\\;'))
