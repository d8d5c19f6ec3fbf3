import { statSync } from 'node:fs'
import { extname, relative, resolve } from 'node:path'
import { AssayError } from '../../../util/errors.ts'
import { writeWhole } from '../../../util/files.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import { namedFile } from '../../named-file.ts'
import type { Options } from '../../options.ts'
import { brokenLines, parsedLines } from '../../trajectories/parse-view.ts'
import { instancesCsv, type ParsedFolder, parsedDocument, parseFolder } from '../../trajectories/parsed-folder.ts'
import { styler } from '../../views/style.ts'

export async function parseCommand([named = '']: readonly string[], options: Options, io: Io): Promise<number> {
  const folder = folderNamed(named, io)
  const write = writerFor(options.output)
  const parsed = parseFolder(folder)
  const isEmpty = parsed.instances.length === 0
  if (write !== null && !isEmpty) {
    const file = namedFile(options.output ?? '', io)
    writeWhole(file, write(folder, parsed))
    if (!options.json) io.stdout.write(`wrote: ${relative(io.cwd, file) || file}\n`)
  }
  if (options.json) writeJson(io.stdout, parsedDocument(folder, parsed))
  else if (isEmpty) {
    io.stderr.write(`no trajectories in ${named}\n`)
    writeLines(io.stderr, brokenLines(parsed, styler(io.stderr)))
  } else if (write === null) writeLines(io.stdout, parsedLines(named, parsed, tableWidth(io.stdout), styler(io.stdout)))
  return isEmpty ? 1 : 0
}

function folderNamed(named: string, { cwd }: Io): string {
  const folder = resolve(cwd, named)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return folder
  const problem = found === undefined ? 'does not exist' : 'is not a folder'
  throw new AssayError('not_found', `${named} ${problem}`, { hint: 'Give a folder with trajectories in it.' })
}

type Writer = (folder: string, parsed: ParsedFolder) => string | Iterable<string>

/** By the ending of the file; null: nothing is written. */
function writerFor(output: string | undefined): Writer | null {
  if (output === undefined) return null
  if (extname(output) === '.csv') return (_, { instances }) => instancesCsv(instances)
  if (extname(output) === '.json')
    return (folder, parsed) => `${JSON.stringify(parsedDocument(folder, parsed), null, 2)}\n`
  throw new AssayError('usage', `--output ${output}: expected a name that ends in .csv or .json`, {
    hint: '.csv: a row for each instance; .json: everything.',
  })
}
