// The architecture, checked: the folders of src/ are the life of an experiment in order, and a folder may import those
// above it in this list, never below; no cycles; what must run in a browser imports nothing of Node.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const layers = [
  ...['util', 'stats', 'define', 'plan', 'record', 'process', 'models', 'targets', 'perform', 'execute'],
  ...['engine', 'analyze', 'charts', 'report', 'serve', 'cli', 'api'],
]
const browserSafe = ['stats', 'analyze', 'charts']
const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const declared = Object.keys({ ...dependencies, ...optionalDependencies })

const importsOf = new Map(
  globSync('src/**/*.{ts,tsx}').map(file => [normalize(file), imports(readFileSync(file, 'utf8'))]),
)
const problems = [...importsOf].flatMap(([file, found]) => found.flatMap(name => problemOf(file, name)))
problems.push(...cycles())

console.log(`${importsOf.size} files, ${[...importsOf.values()].flat().length} imports`)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

function imports(text) {
  const statements = text.matchAll(
    /^(?:import|export)\b[^'";]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...statements].map(([, from, bare, lazy]) => from ?? bare ?? lazy)
}

function problemOf(file, name) {
  const layer = layerOf(file)
  if (layer !== 'entry' && !layers.includes(layer))
    return [`${file}: src/${layer}/ is not a folder of the architecture`]
  if (name.startsWith('node:'))
    return browserSafe.includes(layer) ? [`${file}: ${name} does not exist in a browser`] : []
  if (!name.startsWith('.')) {
    const known = declared.some(dependency => name === dependency || name.startsWith(`${dependency}/`))
    return known ? [] : [`${file}: ${name} is not among the dependencies of package.json`]
  }
  const target = targetOf(file, name)
  if (!target.startsWith('src/')) return []
  const isUpwards = layer === 'entry' || layers.indexOf(layerOf(target)) <= layers.indexOf(layer)
  return isUpwards && layerOf(target) !== 'entry' ? [] : [`${file} imports ${target}, which is below it`]
}

function layerOf(file) {
  const [, folder, rest] = file.split('/')
  return rest === undefined ? 'entry' : folder
}

function targetOf(file, name) {
  return normalize(join(dirname(file), name))
}

/** Files that reach themselves, found by walking depth first. */
function cycles() {
  const state = new Map()
  const found = []
  const walk = (file, path) => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      found.push(`cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
      return
    }
    state.set(file, 'open')
    for (const name of importsOf.get(file) ?? []) if (name.startsWith('.')) walk(targetOf(file, name), [...path, file])
    state.set(file, 'done')
  }
  for (const file of importsOf.keys()) walk(file, [])
  return found
}
