// The architecture, checked: a room of src/ imports only rooms above it, and those by their doors (scripts/rooms.mjs); no
// cycles between files, nor between the folders of a room; what must run in a browser imports nothing of Node.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { rooms } from './rooms.mjs'

const order = rooms.map(({ name }) => name)
const roomNamed = new Map(rooms.map(room => [room.name, room]))
const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const declared = Object.keys({ ...dependencies, ...optionalDependencies })

const importsOf = readImports('src/**/*.{ts,tsx}')
const visitors = new Map([
  ...readImports('web/**/*.{ts,tsx}'),
  ...readImports('bench/**/*.ts'),
  ...readImports('scripts/*.mjs'),
])
/** Its tables are BullMQ's, in another database than the journal. */
const queueOnPostgres = 'src/execute/queue/server/postgres.ts'
const used = new Set()
const problems = [
  ...[...importsOf].flatMap(([file, found]) => found.flatMap(name => problemsOf(file, name))),
  ...[...visitors].flatMap(([file, found]) => found.flatMap(name => problemsOfVisitor(file, name))),
  ...sqlOutsideTheJournal(),
  ...uncheckedColumns(),
  ...dialectsElsewhere(),
  ...cycles(),
  ...entangledFolders(),
  ...unusedDoors(),
]

console.log(
  `${importsOf.size} files, ${[...importsOf.values()].flat().length} imports, ${used.size} doors: ${order.map(name => `${name} ${doorsUsedOf(name).length}`).join(', ')}`,
)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

function readImports(glob) {
  return new Map(globSync(glob).map(file => [normalize(file), imports(readFileSync(file, 'utf8'))]))
}

function imports(text) {
  const statements = text.matchAll(
    /^(?:import|export)\b[^'";]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...statements].map(([, from, bare, lazy]) => from ?? bare ?? lazy)
}

function problemsOf(file, name) {
  const own = roomOf(file)
  if (own !== 'entry' && !roomNamed.has(own))
    return [`${file}: src/${own}/ is not among the rooms of scripts/rooms.mjs`]
  if (name.startsWith('node:'))
    return roomNamed.get(own)?.isForBrowsers ? [`${file}: ${name} does not exist in a browser`] : []
  if (!name.startsWith('.')) {
    const isKnown = declared.some(dependency => name === dependency || name.startsWith(`${dependency}/`))
    return isKnown ? [] : [`${file}: ${name} is not among the dependencies of package.json`]
  }
  const target = targetOf(file, name)
  const other = roomOf(target)
  if (!target.startsWith('src/') || other === own) return []
  if (other === 'entry' || (own !== 'entry' && order.indexOf(other) > order.indexOf(own)))
    return [`${file} imports ${target}, which is below it`]
  return problemsOfDoor(file, target)
}

function problemsOfVisitor(file, name) {
  const target = name.startsWith('.') ? targetOf(file, name) : ''
  return target.startsWith('src/') ? problemsOfDoor(file, target) : []
}

function problemsOfDoor(file, target) {
  const { name, doors } = roomNamed.get(roomOf(target))
  used.add(target)
  if (doors === 'all' || doors.includes(target.slice(`src/${name}/`.length))) return []
  return [`${file} imports ${target}, which is no door of ${name}/ (scripts/rooms.mjs)`]
}

/** Only record/ knows tables and columns. */
function sqlOutsideTheJournal() {
  const asks = /\bjournal\.(get|all|iterate|run|insert)\b/
  const speaks = /\b(SELECT .+ FROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET|CREATE TABLE) /
  return [...importsOf.keys()]
    .filter(file => roomOf(file) !== 'record')
    .filter(file => {
      const text = readFileSync(file, 'utf8')
      return asks.test(text) || (speaks.test(text) && file !== queueOnPostgres)
    })
    .map(file => `${file} speaks SQL, or asks the journal for rows: that belongs to record/`)
}

/** JSON in the journal's columns is checked when read: in one file, by a schema. */
function uncheckedColumns() {
  const readsRows = /\bjournal\s*\.(get|all|iterate)\b/
  return [...importsOf.keys()]
    .filter(file => roomOf(file) === 'record' && file !== 'src/record/journal/stored.ts')
    .filter(file => {
      const text = readFileSync(file, 'utf8')
      return readsRows.test(text) && text.includes('JSON.parse(')
    })
    .map(file => `${file} parses what it reads from the journal itself: src/record/journal/stored.ts does that`)
}

/** Details of other programs' files belong in their dialect, and in the layout that writes such files. */
function dialectsElsewhere() {
  const folders = globSync('src/define/dialects/*/').map(folder => basename(folder))
  // `wandb`: that program's own words, not only its dialect.
  const names = new RegExp(`\\b(${folders.join('|')})\\b|wandb`, 'i')
  const isAtHome = file => ['src/define/dialects/', 'src/report/layouts/'].some(folder => file.startsWith(folder))
  return [...importsOf.keys()]
    .filter(file => !isAtHome(file) && names.test(readFileSync(file, 'utf8')))
    .map(file => `${file} names a dialect: what is special about it belongs to src/define/dialects/`)
}

function unusedDoors() {
  return rooms.flatMap(({ name, doors }) =>
    doors === 'all'
      ? []
      : doors
          .filter(door => !used.has(`src/${name}/${door}`))
          .map(door => `scripts/rooms.mjs: no other room imports src/${name}/${door}, so it is no door`),
  )
}

function doorsUsedOf(name) {
  return [...used].filter(file => roomOf(file) === name)
}

function roomOf(file) {
  const [, folder, rest] = file.split('/')
  return rest === undefined ? 'entry' : folder
}

function targetOf(file, name) {
  return normalize(join(dirname(file), name))
}

/** Two folders of a room that import each other are one folder, or a file is in the wrong one. */
function entangledFolders() {
  const found = new Map()
  const folderOf = file => file.split('/').slice(0, 3).join('/')
  for (const [file, names] of importsOf)
    for (const name of names.filter(one => one.startsWith('.'))) {
      const [own, other] = [folderOf(file), folderOf(targetOf(file, name))]
      if (
        own !== other &&
        roomOf(`${own}/`) === roomOf(`${other}/`) &&
        ![own, other].some(part => /\.tsx?$/.test(part))
      )
        found.set(`${own} ${other}`, `${file} imports ${targetOf(file, name)}`)
    }
  return [...found].flatMap(([pair, example]) => {
    const [own, other] = pair.split(' ')
    const back = found.get(`${other} ${own}`)
    return own < other && back !== undefined ? [`${own} and ${other} import each other: ${example}, ${back}`] : []
  })
}

/** Import cycles, found by depth-first search. */
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
