// Bundles the command line, the package entries, the worker thread and the report's page into dist/, and writes the declarations.
//   --if-changed   only if a source changed since the last build: used by tests and `npm start`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { mergeChunks } from './merge-chunks.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}/dist/.stamp`
const sources = fingerprint()
// Bundled CommonJS packages load Node's own modules by `require`, which an ES module does not have.
const banner =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);"

if (!process.argv.includes('--if-changed') || sources !== lastBuilt()) {
  const [areWritten] = await Promise.all([declarations(), bundle()])
  if (areWritten) writeFileSync(stamp, sources)
  else process.exitCode = 1
}

async function bundle() {
  // Entries that share no objects at run time are bundled separately: together they would be split into dozens of files.
  const cli = bundled({ cli: 'src/cli/main.ts' }, { write: false }).then(mergedCli)
  const parts = await Promise.all([
    bundled({ index: 'src/api/index.ts' }),
    bundled({ 'function-thread': 'src/targets/function/thread.ts' }),
    bundled({ 'metric-thread': 'src/perform/metric-thread.ts' }),
    bundled({ 'sched-sim-run': 'src/targets/sched-sim/sim-run.ts' }),
    bundled({ 'dataset-thread': 'src/serve/experiments/dataset-thread.ts' }),
  ])
  const statistics = await bundleStatistics()
  const commands = await cli
  await bundlePage()
  await writeHelp()
  await writeEntries()
  cpSync(`${root}/src/define/dialects/wandb-sweep/program/python`, `${root}/dist/python`, { recursive: true })
  cpSync(`${root}/src/execute/launchers`, `${root}/dist/launchers`, {
    recursive: true,
    filter: file => !file.endsWith('.ts'),
  })
  const outputs = [...parts, statistics].flatMap(({ metafile }) => Object.keys(metafile.outputs))
  removeAllBut(['dist/entry.js', ...commands, ...outputs])
  escapeNonAscii()
}

/**
 * Non-ASCII characters left by the bundler, in comments and regular expressions. With one such character, Node stores the whole file with two
 * bytes per character, which slows every start of a process.
 */
function escapeNonAscii() {
  const escaped = character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  for (const file of globSync('dist/*.js', { cwd: root })) {
    const text = readFileSync(`${root}/${file}`, 'utf8')
    const plain = text.replaceAll(/[^\0-\x7f]/g, escaped)
    if (plain !== text) writeFileSync(`${root}/${file}`, plain)
  }
}

/** Two files: one read by every call, and one shared by commands. */
async function mergedCli(parts) {
  const groups = { start: 'src/cli/main.ts', shared: 'src/cli/commands/working.ts' }
  const files = await mergeChunks(parts, { banner, groups })
  mkdirSync(`${root}/dist`, { recursive: true })
  for (const [path, text] of files) writeFileSync(path, text)
  return [...files.keys()].map(path => relative(root, path))
}

function bundled(entryPoints, more = {}) {
  return build({
    ...more,
    absWorkingDir: root,
    entryPoints,
    outdir: 'dist',
    // Beside the entries, not in a folder, so that code in any chunk finds function-thread.js beside itself.
    chunkNames: '[name]-[hash]',
    bundle: true,
    // A command's code and its dependencies are read only when that command is used.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // jsonc-parser's `main` is UMD, whose require esbuild can't follow.
    mainFields: ['module', 'main'],
    // Have a binary per platform, which they find in node_modules. linkedom does without `canvas`, pg without `pg-native`,
    // and msgpackr without `msgpackr-extract`.
    external: ['@resvg/resvg-js', 'koffi', 'canvas', 'pg-native', 'msgpackr-extract'],
    plugins: [zodByName()],
    sourcemap: true,
    sourcesContent: false,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    banner: { js: banner },
  })
}

/**
 * The providers' packages import zod as one object, `{ z }`, which esbuild can't tree-shake: all its languages
 * would be read by every command. As a namespace only the used third remains.
 */
function zodByName() {
  return {
    name: 'zod-by-name',
    setup({ onLoad }) {
      onLoad({ filter: /node_modules\/(ai|@ai-sdk\/[^/]+|@openrouter\/[^/]+)\/dist\/.*\.m?js$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(
          /import \{ z(?: as (\w+))? \} from "(zod[^"]*)"/g,
          (_, name = 'z', from) => `import * as ${name} from "${from}"`,
        ),
      }))
    },
  }
}

/** Separate: it must run in a browser, so it may share no chunk with code for Node. */
function bundleStatistics() {
  return build({
    absWorkingDir: root,
    entryPoints: { stats: 'src/stats/index.ts' },
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    sourcemap: true,
    sourcesContent: false,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
}

/** The report's and the dashboard's script and style: one file each, without source paths. */
function bundlePage() {
  return build({
    absWorkingDir: root,
    entryPoints: {
      app: 'web/main.tsx',
      style: 'web/style/app.css',
      live: 'web/live/main.tsx',
      'live-style': 'web/live/style/live.css',
    },
    outdir: 'dist/web',
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'warning',
  })
}

/**
 * The entry of `import 'assay'` and `require('assay')`: an old Node fails to link the bundle before any of its code runs, and
 * names a missing module. These files name the required Node instead, in syntax that an old one can read.
 */
async function writeEntries() {
  const { engines } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const needed = engines.node.replace('>=', '')
  const names = Object.keys(await import(`${pathToFileURL(`${root}/dist/index.js`).href}?${Date.now()}`)).sort()
  const check = `const [major, minor] = process.versions.node.split('.').map(Number)
if (major < ${needed.split('.')[0]} || (major === ${needed.split('.')[0]} && minor < ${needed.split('.')[1]}))
  throw new Error('assay needs Node ${needed} or newer; this is Node ' + process.versions.node + '. Install a newer Node (24 is best).')
`
  writeFileSync(
    `${root}/dist/entry.js`,
    `${check}const library = await import('./index.js')\nexport const { ${names.join(', ')} } = library\n`,
  )
  writeFileSync(`${root}/dist/entry.cjs`, `'use strict'\n${check}module.exports = require('./index.js')\n`)
}

/** The list of commands as text, from the same tables, so that `assay --help` need not read them: see bin/assay.mjs. */
async function writeHelp() {
  const { helpText } = await import(`${pathToFileURL(`${root}/dist/cli.js`).href}?${Date.now()}`)
  for (const columns of [80, 110]) writeFileSync(`${root}/dist/help-${columns}.txt`, helpText(columns))
}

/** Afterwards, not before: a call of assay during a build finds the old or the new bundle, never none. */
function removeAllBut(outputs) {
  for (const file of globSync('dist/*.{js,map}', { cwd: root })) if (!outputs.includes(file)) rmSync(`${root}/${file}`)
}

/**
 * Built beside the bundle, without type checks (`npm run types` does that), and incrementally: this takes a third of the time,
 * so that `npm start` creates the types too.
 */
async function declarations() {
  const tsc = `${root}/node_modules/typescript/bin/tsc`
  const child = spawn(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
  const [status] = await once(child, 'close')
  return status === 0
}

/** Path, size and time of all sources of dist/: a deleted file counts as a change too. */
function fingerprint() {
  const made = [
    'src/**/*',
    'web/**/*',
    'package.json',
    'package-lock.json',
    'tsconfig*.json',
    'scripts/{build,merge-chunks}.mjs',
  ]
  const files = globSync(made, { cwd: root }).sort()
  const facts = files
    .map(file => ({ file, ...statSync(`${root}/${file}`) }))
    .filter(({ mode }) => (mode & 0o170000) === 0o100000)
  return facts.map(({ file, size, mtimeMs }) => `${file} ${size} ${mtimeMs}`).join('\n')
}

function lastBuilt() {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return undefined
  }
}
