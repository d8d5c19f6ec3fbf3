import { writeFileSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { parseHTML } from 'linkedom'
import type { ChartDocument } from '../../charts/draw-chart.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { makeFolders } from '../../util/files.ts'

/** Writes a chart in the format of its ending: .svg unchanged, .png for papers and slides (300 dots per inch). */
export async function writePicture(file: string, svg: string): Promise<void> {
  const bytes = await pictureBytes(file, svg)
  try {
    makeFolders(dirname(file))
    writeFileSync(file, bytes)
  } catch (error) {
    throw new AssayError('cannot_write', `can't write ${file}: ${messageOf(error)}`, { cause: error })
  }
}

/** Checked before anything is computed: a wrong ending should not cost an analysis. */
export function requirePictureEnding(file: string): '.svg' | '.png' {
  const ending = extname(file).toLowerCase()
  if (ending === '.svg' || ending === '.png') return ending
  throw new AssayError(
    'usage',
    `can't write a picture as ${ending === '' ? 'a file without ending' : ending}: ${file}`,
    {
      hint: 'give a file that ends in .svg or .png',
      facts: { file },
    },
  )
}

async function pictureBytes(file: string, svg: string): Promise<string | Buffer> {
  if (requirePictureEnding(file) === '.svg') return svg
  const { svgToPng } = await import('./svg-to-png.ts').catch(refuseOnThisMachine)
  return svgToPng(svg)
}

/** The library that draws PNG has a binary per platform, and not for every platform. */
function refuseOnThisMachine(error: unknown): never {
  throw new AssayError('cannot_write', `can't make a PNG on this machine: ${messageOf(error)}`, {
    hint: 'give a file that ends in .svg',
    cause: error,
  })
}

/** A document for charts where there is no browser. */
export function chartDocument(): ChartDocument {
  return parseHTML('<!doctype html><html><body></body></html>').document
}
