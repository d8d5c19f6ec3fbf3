import type { Box } from '../../../process/sandbox/box.ts'
import { appendRegular, readRegular } from '../../../util/files.ts'
import { type ShellPlace, shellFor, shellVariables } from './shell-script.ts'
import { keptBytes, shownOutput } from './shown-output.ts'
import type { Workplace } from './workplace.ts'

export interface BoxPlace extends ShellPlace {
  /** In the box: exists as long as the box does. */
  readonly root: string
  /** Files of this machine: the last output, and everything that was run. */
  readonly outputFile: string
  readonly log: string
  readonly env: Readonly<Record<string, string>>
  /** How many characters of an output the model sees. */
  readonly mostShown: number
  readonly mostDiffBytes: number
  readonly graceMs: number
}

/** Commands run in a box, with any kind of isolation. */
export function boxWorkplace(box: Box, place: BoxPlace): Workplace {
  const { outputFile: file, mostShown: most } = place
  return {
    async run(command, { timeoutMs, signal }) {
      const exec = await box.exec(shellFor(place), {
        stdin: command,
        env: { ...shellVariables, ...place.env },
        // The working directory may be gone: the shell reports that.
        cwd: place.root,
        outputBytes: keptBytes(most),
        stdoutFile: file,
        stderrFile: file,
        graceMs: place.graceMs,
        timeoutMs,
        signal,
      })
      const output = shownOutput(readRegular(file) ?? '', { lost: exec.cutBytes, most })
      appendRegular(place.log, `$ ${command}\n${output}${output === '' || output.endsWith('\n') ? '' : '\n'}`)
      return { ...exec, output, wall_ms: exec.wall_s * 1000 }
    },
    async diff() {
      return (await box.diff({ mostBytes: place.mostDiffBytes })).patch
    },
  }
}
