import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

// Programs that run too long beside a process in its own session with a cleared environment.
// Only its parent connects it with assay. It is promised to end with its attempt while assay lives and makes one run at a
// time: so assay is stopped here, never killed.

const numbers = [1, 2, 3, 4]

/** The process with the cleared environment holds the lock that the next attempt needs. */
export const strayFiles = (history: string, often: string): Readonly<Record<string, string>> => ({
  'strays.sh': `#!/bin/sh
unset LD_PRELOAD
exec 9>>"${history}.stray-$1"
if ! flock -n 9; then echo "$1" >> ${history}.strays; fi
if [ -e "${history}.tried-$1" ]; then exit 0; fi
( env -i setsid sh -c 'echo > "$0"; sleep 60' "${history}.tried-$1" & )
exec sleep 60
`,
  'strays.yaml': `name: strays
target: { kind: command, command: [./strays.sh, "{n}"] }
factors: { n: [${numbers.join(', ')}] }
limits: { jobs: 1, timeout: 300ms, grace: 50ms, ${often} }
`,
})

/** After assay has ended by itself. */
export function checkStrays(history: string): readonly string[] {
  const beside = existsSync(`${history}.strays`) ? readFileSync(`${history}.strays`, 'utf8').trim().split('\n') : []
  const untried = numbers.filter(run => !existsSync(`${history}.tried-${run}`))
  const left = numbers.filter(
    run => spawnSync('/usr/bin/flock', ['-n', `${history}.stray-${run}`, 'true']).status !== 0,
  )
  return [
    ...untried.map(run => `run ${run} is over and never had a process beside it`),
    ...beside.map(run => `run ${run} began again beside a process of its attempt before`),
    ...left.map(run => `a process of run ${run} lives on after assay has ended`),
  ]
}
