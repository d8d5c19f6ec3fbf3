import { shellQuote } from '../../../util/words.ts'

/**
 * A shell for one command that continues where the last one ended: its working directory and exported variables are
 * kept in a file of the box. The command itself comes on standard input, since an argument may not be longer than 128
 * KB. A long-lived shell would need a terminal in every kind of box, and a hanging command would end it.
 */
export function shellFor({ stateFile, workdir }: ShellPlace): readonly string[] {
  const state = shellQuote(stateFile)
  const home = shellQuote(workdir)
  const restore = `[ -r ${state} ] && . ${state} 2>/dev/null || PWD=${home}`
  const enter = `set -- "$1" "$OLDPWD"; cd -- "$PWD" 2>/dev/null || { echo "[$PWD is gone]"; cd -- ${home} 2>/dev/null || { echo "[${workdir.replaceAll(/[^\w/.-]/g, '?')} is gone]"; cd /; }; }; OLDPWD=$2`
  const keep = `trap 'export PWD OLDPWD; export -p > ${state.replaceAll("'", `'\\''`)} 2>/dev/null' EXIT`
  // Read first: the last command's change of PATH may hide even `cat`.
  const script = `set -- "$(cat)"; ${restore}; ${enter}; ${keep}; eval "set --; $1" < /dev/null`
  // bash where the box has one.
  return ['/bin/sh', '-c', 'exec "$(command -v bash || echo sh)" -c "$1" bash', 'sh', script]
}

export interface ShellPlace {
  /** The path inside the box, outside of the work itself. */
  readonly stateFile: string
  /** Where the first command starts. */
  readonly workdir: string
}

/** Keeps programs from waiting for a key or drawing on a terminal. */
export const shellVariables: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  TERM: 'dumb',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
}
