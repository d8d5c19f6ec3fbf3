#!/usr/bin/env node
// Finds a Node that is new enough, then hands over to the bundle. Plain syntax only: an old Node must be able to
// read this file in order to say what is missing.
import { existsSync, fstatSync, readFileSync, writeSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { setFlagsFromString } from 'node:v8'

const needed = [22, 18]
const bundle = new URL('../dist/cli.js', import.meta.url)

if (!isNewEnough(process.versions.node)) {
  const { isChildOfLauncher, ownNode, runOnOwnNode } = await import('./own-node.mjs')
  if (!isChildOfLauncher && existsSync(ownNode)) runOnOwnNode()
  else
    refuse(
      `assay needs Node ${needed.join('.')} or newer; this is Node ${process.versions.node}.`,
      'Install a newer Node (24 is best), or run "npm install" in the folder of assay: it brings one along.',
    )
} else if (!existsSync(bundle)) {
  refuse('assay has not been built yet.', 'Run: npm run build')
} else if (!hasPrintedHelp()) {
  // Only a process that the launcher started needs the launcher's code.
  const { isChildOfLauncher } = process.env.ASSAY_LAUNCHER
    ? await import('./own-node.mjs')
    : { isChildOfLauncher: false }
  hideSqliteWarning()
  // Loading the program makes 12 MB that stay. V8 begins with 1 MB for new objects and doubles it, copying them each time: that
  // takes a tenth of the time of a short command.
  setFlagsFromString('--semi-space-growth-factor=16')
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache()
  const { main } = await import(bundle.href)
  // Its default again: what a command itself makes may be large.
  setFlagsFromString('--semi-space-growth-factor=2')
  await main({ isChildOfLauncher })
}

/** Prints the list of commands from the text that the build made, where that text fits. False: the bundle has to. */
function hasPrintedHelp() {
  const [word = '--help', ...more] = process.argv.slice(2)
  if (more.length > 0 || !['--help', '-h', 'help'].includes(word)) return false
  try {
    const isTerminal = fstatSync(1).isCharacterDevice() && process.stdout.isTTY
    const columns = isTerminal ? Math.min(process.stdout.columns, 110) : 80
    const text = readFileSync(new URL(`../dist/help-${columns}.txt`, import.meta.url))
    // Straight to the file: Node's stream for it takes a fifth of the start-up time.
    return writeSync(1, text) === text.length
  } catch {
    return false
  }
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > needed[0] || (major === needed[0] && minor >= needed[1])
}

function refuse(message, hint) {
  console.error(`error: ${message}\n${hint}`)
  process.exitCode = 2
}

/** Node 22 calls SQLite experimental at every start; that warning and no other is left out. */
function hideSqliteWarning() {
  if (!process.versions.node.startsWith('22.')) return
  const emit = process.emit
  process.emit = (event, warning, ...rest) => {
    if (event === 'warning' && warning?.name === 'ExperimentalWarning' && /SQLite/.test(warning.message)) return false
    return emit.call(process, event, warning, ...rest)
  }
}
