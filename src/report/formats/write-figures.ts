import { join } from 'node:path'
import { stacked } from '../../charts/stacked.ts'
import { shortened, slugOf } from '../../plan/identity/slug.ts'
import { AssayError } from '../../util/errors.ts'
import type { Figure } from '../figures/figure.ts'
import { chartDocument } from '../pictures/chart-document.ts'
import { writePicture } from '../pictures/write-picture.ts'

type Place = { readonly folder: string } | { readonly file: string }

/** Each figure as a picture of its own in a folder, or all of them under each other in one file. Gives the files' names. */
export async function writeFigures(
  figures: readonly Figure[],
  endings: readonly ('svg' | 'png')[],
  place: Place,
): Promise<readonly string[]> {
  const document = chartDocument()
  const drawn = figures.flatMap(({ id, draw }) => (draw === null ? [] : [{ id, svg: draw({ document }) }]))
  if (drawn.length === 0) throw new AssayError('usage', 'there is nothing to draw: no run has a result')
  if ('file' in place) {
    await writePicture(place.file, stacked(drawn.map(({ svg }) => svg)))
    return [place.file]
  }
  const names = fileNames(drawn.map(({ id }) => id))
  const files = drawn.flatMap(({ svg }, at) =>
    endings.map(ending => ({ file: join(place.folder, `${names[at]}.${ending}`), svg })),
  )
  for (const { file, svg } of files) await writePicture(file, svg)
  return files.map(({ file }) => file)
}

const longestName = 120

/** Variants and series may be called anything: what is left of their names need not be unique. */
function fileNames(ids: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return ids.map(id => {
    const name = shortened(slugOf(id), longestName)
    // Some file systems take `A` and `a` for the same.
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1
    seen.set(name.toLowerCase(), count)
    return count === 1 ? name : `${name}-${count}`
  })
}
