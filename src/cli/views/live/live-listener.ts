import type { Listener } from '../../../engine/call.ts'
import type { Clock } from '../../../util/time.ts'
import type { Io } from '../../io.ts'
import { styler } from '../style.ts'
import { foldLive, noLiveState } from './live-state.ts'
import { renderLive } from './live-view.ts'
import { TerminalRegion } from './terminal-region.ts'

export interface LiveListener {
  readonly listen: Listener
  /** Lines that stay, above the live view. */
  print(lines: readonly string[]): void
  close(): void
}

/** Shows an experiment on a terminal while it runs. Draws on stderr, so that stdout stays free for results. */
export function liveListener(io: Io, clock: Clock, budgetUsd: number | null): LiveListener {
  let state = noLiveState
  const warnings = new Set<string>()
  const style = styler(io.stderr)
  const region = new TerminalRegion(io.stderr, clock, () =>
    renderLive(state, { now: clock.now(), columns: io.stderr.columns, style, budgetUsd }),
  )
  const forget = io.onExit(() => region.close({ keep: true }))
  return {
    listen(event) {
      state = foldLive(state, event)
      if (event.kind === 'notice' && event.level === 'warning') warnings.add(event.message)
      region.changed()
    },
    print: lines => region.print(lines),
    close() {
      region.close({ keep: false })
      // The view showed them only for a while, and shortened.
      for (const warning of [...warnings].slice(0, mostWarnings)) io.stderr.write(`${style.yellow('!')} ${warning}\n`)
      warnings.clear()
      forget()
    },
  }
}

/** More would push the result off the screen. */
const mostWarnings = 10
