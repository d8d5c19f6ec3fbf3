#!/usr/bin/env node
// Finds a Node that is new enough, then hands over to the bundle. Plain syntax only: an old Node must be able to
// read this file in order to say what is missing.
import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { isChildOfLauncher, ownNode, runOnOwnNode } from './own-node.mjs'

const needed = [22, 18]
const bundle = new URL('../dist/cli.js', import.meta.url)

if (!isNewEnough(process.versions.node)) {
  if (!isChildOfLauncher && existsSync(ownNode)) runOnOwnNode()
  else
    refuse(
      `assay needs Node ${needed.join('.')} or newer; this is Node ${process.versions.node}.`,
      'Install a newer Node (24 is best), or run "npm install" in the folder of assay: it brings one along.',
    )
} else if (!existsSync(bundle)) {
  refuse('assay has not been built yet.', 'Run: npm run build')
} else {
  hideSqliteWarning()
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache()
  const { main } = await import(bundle.href)
  await main({ isChildOfLauncher })
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
