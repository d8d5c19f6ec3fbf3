import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Defect, defects, plant } from './defects.ts'
import { episode } from './episode.ts'
import { episodeOptions } from './episode-options.ts'

// `npm run planted`: does chaos find known defects? Each defect is planted in a copy of
// assay, and episodes are run on that copy until one finds something.
//   --only name,name   these defects alone
//   --most 12          episodes before a defect counts as not found
//   --seed 1           the first episode
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    most: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
  },
})
const root = fileURLToPath(new URL('../../..', import.meta.url))
const names = values.only?.split(',') ?? defects.map(({ name }) => name)
const unknown = names.filter(name => defects.every(defect => defect.name !== name))
if (unknown.length > 0) throw new Error(`there is no defect ${unknown.join(', ')}`)
let notFound = 0
for (const defect of defects.filter(({ name }) => names.includes(name))) {
  const copy = copyWith(defect)
  try {
    if (!(await isFound(defect, join(copy, 'bin/assay.mjs')))) notFound++
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
process.exitCode = notFound === 0 ? 0 : 1

function copyWith(defect: Defect): string {
  const copy = mkdtempSync(join(tmpdir(), 'assay-planted-'))
  for (const name of ['src', 'web', 'bin', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const { file, text } = plant(defect, copy)
  writeFileSync(join(copy, file), text)
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] })
  return copy
}

async function isFound({ name }: Defect, program: string): Promise<boolean> {
  for (let count = 1; count <= Number(values.most); count++) {
    const { findings, folder } = await episode({ ...episodeOptions(Number(values.seed) + count - 1), program })
    if (findings.length === 0) continue
    console.log(`${name}: found in episode ${count}: ${findings[0]?.split('\n')[0]}`)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
    return true
  }
  console.log(`${name}: not found in ${values.most} episodes`)
  return false
}
