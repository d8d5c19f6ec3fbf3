import { createHash } from 'node:crypto'
import { basename, dirname, resolve } from 'node:path'
import { build } from 'esbuild'

/**
 * The bundler splits code shared by commands into a hundred small files, one for each set of commands that uses it. Node takes
 * about half a millisecond to find, read and link each of them, which is a quarter of the time that a short command takes.
 * So files that nearly every command reads become one: each old file keeps only a line that re-exports its names, for
 * those that import them by that name. Every module is still evaluated once.
 */
export async function mergeChunks({ outputFiles, metafile }, { banner, groups }) {
  const files = new Map(outputFiles.map(({ path, text }) => [path, text]))
  const isTaken = new Set()
  for (const [name, entryPoint] of Object.entries(groups)) {
    const chunks = closureOf(outputFor(entryPoint, metafile), metafile).filter(chunk => !isTaken.has(chunk))
    for (const chunk of chunks) isTaken.add(chunk)
    await mergeOne(name, chunks, { files, metafile, banner })
  }
  await importFromGroups(files)
  return files
}

function outputFor(entryPoint, { outputs }) {
  const found = Object.keys(outputs).find(path => outputs[path].entryPoint === entryPoint)
  if (found === undefined) throw new Error(`${entryPoint} is no entry of the bundle`)
  return found
}

/** A file and all its imports, in import order. */
function closureOf(path, { outputs }, seen = new Set()) {
  if (seen.has(path)) return [...seen]
  seen.add(path)
  for (const { path: imported, kind, external } of outputs[path].imports)
    if (kind === 'import-statement' && !external) closureOf(imported, { outputs }, seen)
  return [...seen]
}

async function mergeOne(name, chunks, { files, metafile, banner }) {
  const folder = dirname([...files.keys()][0])
  const at = chunk => resolve(folder, basename(chunk))
  const passedOn = chunks.map((chunk, index) => ({
    chunk,
    names: metafile.outputs[chunk].exports.map(exported => ({ exported, inside: `m${index}_${exported}` })),
  }))
  const contents = passedOn
    .map(({ chunk, names }) => {
      const list = names.map(({ exported, inside }) => `${exported} as ${inside}`).join(', ')
      return `export { ${list} } from './${basename(chunk)}'`
    })
    .join('\n')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    outfile: resolve(folder, `${name}.js`),
    ...shared,
    // Once, instead of once for each file.
    banner: { js: banner },
    plugins: [inMemory(files, new Set(chunks.map(at)), banner)],
  })
  const textOf = ending => outputFiles.find(({ path }) => path.endsWith(ending)).text
  const text = textOf('.js')
  const merged = `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.js`
  files.set(resolve(folder, merged), `${text}//# sourceMappingURL=${merged}.map\n`)
  files.set(resolve(folder, `${merged}.map`), textOf('.map'))
  for (const { chunk, names } of passedOn) {
    const list = names.map(({ exported, inside }) => `${inside} as ${exported}`).join(', ')
    files.set(at(chunk), `export { ${list} } from './${merged}'\n`)
    files.delete(`${at(chunk)}.map`)
  }
}

/** Remaining files import directly from the groups, not through re-exports. */
async function importFromGroups(files) {
  const others = [...files].flatMap(([path, text]) => (path.endsWith('.js') && !isPassingOn(text) ? [path] : []))
  const { outputFiles } = await build({
    entryPoints: others,
    outdir: dirname(others[0]),
    ...shared,
    plugins: [inMemory(files, new Set())],
  })
  for (const { path, text } of outputFiles)
    files.set(path, path.endsWith('.js') ? `${text}//# sourceMappingURL=${basename(path)}.map\n` : text)
}

const isPassingOn = text => text.startsWith('export {')

const shared = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  // Everything that the first pass kept is needed: `sideEffects: false` in package.json is about sources.
  ignoreAnnotations: true,
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
}

/** Files of the first pass. Only those of the group are inlined; others are imported, like lazily read ones. */
function inMemory(files, group, banner = '') {
  const withMap = path => {
    const map = Buffer.from(files.get(`${path}.map`) ?? '').toString('base64')
    return files.get(path).replace(/(\/\/# sourceMappingURL=).*/, `$1data:application/json;base64,${map}`)
  }
  return {
    name: 'in-memory',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
        if (kind === 'entry-point') return { path }
        const file = resolve(resolveDir, path)
        // A file of an earlier group is one line by now, which is inlined too: the import leads directly to that group.
        const isPutIn = group.has(file) || isPassingOn(files.get(file) ?? '')
        return isPutIn && kind === 'import-statement' ? { path: file } : { path, external: true }
      })
      onLoad({ filter: /\.js$/ }, ({ path }) => ({
        contents: withMap(path).replace(banner, ''),
        resolveDir: dirname(path),
      }))
    },
  }
}
