import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Ways in which a journal may be damaged, by name. Each is given the file; its log is beside it. */
export const damages: { readonly [name: string]: (file: string) => void } = {
  ...Object.fromEntries(
    [0, 1, 50, 99, 100, 512, 4095, 4096, 4097, 8192, 20_000].map(size => [`cut to ${size} bytes`, cutTo(size)]),
  ),
  'cut by a byte': file => truncateSync(file, readFileSync(file).length - 1),
  'cut by a page': file => truncateSync(file, readFileSync(file).length - 4096),
  ...Object.fromEntries(
    Object.entries({
      ...{ magic: 0, 'size of a page': 16, 'write version': 18, 'read version': 19, 'reserved space': 20 },
      ...{ 'payload fraction': 21, 'counter of changes': 24, 'number of pages': 29, 'list of free pages': 34 },
      ...{ 'number of free pages': 39, 'schema cookie': 40, 'format of the schema': 47, 'text encoding': 59 },
      ...{ 'version of the journal': 60, 'version of SQLite': 97 },
      ...{ 'kind of the first page': 100, 'cells of the first page': 104, 'free space of the first page': 105 },
      ...{ 'last child of the first page': 111, 'pointer in the first page': 113 },
    }).map(([what, at]) => [`${what} flipped`, flipped(at)]),
  ),
  ...Object.fromEntries(
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20].map(page => [`page ${page} of zeros`, page0(page)]),
  ),
  'all pages but the first overwritten': file => writeFileSync(file, readFileSync(file).fill(0xaa, 4096)),
  'everything overwritten': file => writeFileSync(file, readFileSync(file).fill(0xaa)),
  'the second half overwritten': file => writeFileSync(file, fill(readFileSync(file), 0.5)),
  ...Object.fromEntries([1, 2, 3, 4, 5].map(seed => [`a hundred random bytes (${seed})`, randomBytes(seed)])),
  'a root page that does not exist': schema(`UPDATE sqlite_master SET rootpage = 9999 WHERE name = 'runs'`),
  'a root page of another table': schema(`UPDATE sqlite_master SET rootpage = 3 WHERE name = 'attempts'`),
  'a table without columns': schema(`UPDATE sqlite_master SET sql = 'CREATE TABLE runs (' WHERE name = 'runs'`),
  'a table of another kind': schema(`UPDATE sqlite_master SET type = 'view' WHERE name = 'metrics'`),
  'a table gone from the schema': schema(`DELETE FROM sqlite_master WHERE name = 'experiment'`),
  'an index gone from the schema': schema(`DELETE FROM sqlite_master WHERE name = 'runs_next'`),
  'a definition that is gone': sql('DELETE FROM definitions'),
  'a definition that is no JSON': sql(`UPDATE definitions SET text = substr(text, 1, 100)`),
  'a run that is no JSON': sql(`UPDATE runs SET spec = '{' WHERE id = 2`),
  'an outcome that is none': sql(`UPDATE attempts SET outcome = 'complet\u0001d' WHERE id = 2`),
  'facts that are none': sql(`UPDATE attempts SET facts = '[3' WHERE id = 2`),
}

/** Ways in which the log of a journal may be damaged. */
export const logDamages: { readonly [name: string]: (log: string) => void } = {
  gone: log => rmSync(log),
  empty: log => truncateSync(log, 0),
  'cut in its header': log => truncateSync(log, 20),
  'cut in a frame': log => truncateSync(log, 32 + 5 * 4120 + 1000),
  'magic flipped': flipped(0),
  'salt flipped': flipped(17),
  'first frame flipped': flipped(32 + 24 + 100),
  'a later frame flipped': flipped(32 + 8 * 4120 + 500),
  'header of a later frame flipped': flipped(32 + 9 * 4120 + 4),
  'garbage at its end': log => writeFileSync(log, Buffer.concat([readFileSync(log), Buffer.alloc(10_000, 0x5a)])),
  'of zeros': log => writeFileSync(log, readFileSync(log).fill(0)),
}

function cutTo(size: number) {
  return (file: string) => truncateSync(file, size)
}

function flipped(at: number) {
  return (file: string) => {
    const bytes = readFileSync(file)
    bytes[at] = (bytes[at] ?? 0) ^ 0xff
    writeFileSync(file, bytes)
  }
}

function page0(page: number) {
  return (file: string) => writeFileSync(file, readFileSync(file).fill(0, (page - 1) * 4096, page * 4096))
}

const fill = (bytes: Buffer, from: number): Buffer => bytes.fill(0xaa, Math.floor(bytes.length * from))

/** Always the same ones. */
function randomBytes(seed: number) {
  return (file: string) => {
    const bytes = readFileSync(file)
    let state = seed * 7919
    for (let count = 0; count < 100; count++) {
      state = (state * 1103515245 + 12345) % 2 ** 31
      bytes[state % bytes.length] = state >> 8
    }
    writeFileSync(file, bytes)
  }
}

function sql(text: string) {
  return (file: string) => {
    const database = new DatabaseSync(file, { defensive: false })
    database.exec(text)
    database.close()
  }
}

function schema(text: string) {
  return sql(`PRAGMA writable_schema = ON; ${text}; PRAGMA schema_version = 4711`)
}
