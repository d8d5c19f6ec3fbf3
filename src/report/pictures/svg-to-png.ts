import { Resvg } from '@resvg/resvg-js'
import { pictureFonts } from './picture-fonts.ts'
import { withResolution } from './png-resolution.ts'

/** Charts count 96 pixels to the inch; papers want 300. */
const dotsPerInch = 300

/** The machine's own fonts are asked only for scripts that Arimo lacks: reading them all takes time, and bytes would differ. */
export function svgToPng(svg: string): Buffer {
  const font = {
    fontFiles: pictureFonts(),
    loadSystemFonts: hasOtherScripts(svg),
    defaultFontFamily: 'Arimo',
    sansSerifFamily: 'Arimo',
  }
  const picture = new Resvg(svg, { font, fitTo: { mode: 'zoom', value: dotsPerInch / 96 } }).render()
  return withResolution(picture.asPng(), dotsPerInch)
}

/** Beyond Latin, Greek, Cyrillic, Hebrew and the signs that Arimo has. */
function hasOtherScripts(svg: string): boolean {
  return /[^\t\n -\u05ff\u1e00-\u22ff\u25a0-\u25ff]/u.test(svg)
}
