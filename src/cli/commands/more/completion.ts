import { AssayError } from '../../../util/errors.ts'
import { completionScript, type Shell, shells } from '../../completion/completion-script.ts'
import type { Io } from '../../io.ts'
import type { Options } from '../../options.ts'

export async function completionCommand([shell = '']: readonly string[], _options: Options, io: Io): Promise<number> {
  io.stdout.write(completionScript(knownShell(shell)))
  return 0
}

function knownShell(name: string): Shell {
  const shell = shells.find(one => one === name)
  if (shell === undefined) throw new AssayError('usage', `no completion for ${name}; there is ${shells.join(', ')}`)
  return shell
}
