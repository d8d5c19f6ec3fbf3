// A checkout brings its own Node as a development dependency. On a machine whose Node is too old, assay runs on that
// one, and the old process only stands in for it: same output, same exit code, same signals, and the same death.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const ownNode = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))

/** Whether this process was started by {@link runOnOwnNode}. The mark is taken out of the environment: runs must not inherit it. */
export const isChildOfLauncher = process.env.ASSAY_LAUNCHER === '1'
delete process.env.ASSAY_LAUNCHER
if (isChildOfLauncher) dieWithLauncher()

export function runOnOwnNode() {
  const child = spawn(ownNode, [fileURLToPath(new URL('assay.mjs', import.meta.url)), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ASSAY_LAUNCHER: '1' },
  })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    console.error(`error: cannot start ${ownNode}: ${error.message}`)
    process.exitCode = 2
  })
  child.on('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    if (signal === null) process.exitCode = code
    else process.kill(process.pid, signal)
  })
}

/** `kill -9` of the stand-in must be `kill -9` of assay, or a second one would find the experiment still busy. */
function dieWithLauncher() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel?.unref()
}
