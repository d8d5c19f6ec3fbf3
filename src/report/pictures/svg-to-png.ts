import { createRequire } from 'node:module'
import { crc32 } from 'node:zlib'
import { Resvg } from '@resvg/resvg-js'

/** Charts count 96 pixels per inch; papers want 300. */
const dotsPerInch = 300

/**
 * The machine's own fonts are only used for scripts that Arimo lacks: reading them all takes time, and bytes would
 * differ.
 */
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

/** Scripts beyond Latin, Greek, Cyrillic, Hebrew and the symbols in Arimo. */
function hasOtherScripts(svg: string): boolean {
  return /[^\t\n -\u05ff\u1e00-\u22ff\u25a0-\u25ff]/u.test(svg)
}

/** The same PNG with its resolution: programs for papers and slides then show it at its true size. */
export function withResolution(png: Buffer, dotsPerInch: number): Buffer {
  const perMetre = Math.round(dotsPerInch / 0.0254)
  const chunk = Buffer.alloc(21)
  chunk.writeUInt32BE(9, 0)
  chunk.write('pHYs', 4, 'latin1')
  chunk.writeUInt32BE(perMetre, 8)
  chunk.writeUInt32BE(perMetre, 12)
  chunk.writeUInt8(1, 16)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17)
  // After the signature (8 bytes) and IHDR (25 bytes), before the picture itself.
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
}

const require = createRequire(import.meta.url)

/** Arimo (SIL Open Font License), so that a PNG has text on a machine without fonts, and the same on every machine. */
export function pictureFonts(): string[] {
  return [
    require.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'),
    require.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf'),
  ]
}
