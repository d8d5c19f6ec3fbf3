import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Puts the first page and the schema of a new journal over those of a damaged one: tables are created together, so they
 * begin at the same pages in every journal of this version. The places are those of the file format
 * (https://www.sqlite.org/fileformat2.html, sections 1.3 and 1.6). False: there is nothing to put it over.
 */
export function transplantSchema(fresh: string, damaged: string): boolean {
  const donor = readFileSync(fresh)
  const patient = readFileSync(damaged)
  const size = donor.readUInt16BE(16)
  const pages = Math.floor(patient.length / size)
  const schema = schemaPages(donor)
  if (schema.some(page => page > pages)) return false
  for (const page of schema) donor.copy(patient, (page - 1) * size, (page - 1) * size, page * size)
  // The number of pages, and no list of free ones: that may be part of the damage.
  patient.writeUInt32BE(pages, 28)
  patient.fill(0, 32, 40)
  // The number of pages is only trusted if these two agree.
  patient.copy(patient, 92, 24, 28)
  writeFileSync(damaged, patient.subarray(0, pages * size))
  return true
}

/** The first page and those below it, of a schema that needs two levels at most. */
function schemaPages(file: Buffer): readonly number[] {
  const isInterior = file[100] === 5
  if (!isInterior) return [1]
  const cells = Array.from({ length: file.readUInt16BE(103) }, (_, at) => file.readUInt16BE(112 + 2 * at))
  return [1, ...cells.map(cell => file.readUInt32BE(cell)), file.readUInt32BE(108)]
}
