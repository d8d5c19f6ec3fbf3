import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { svgToPng } from '../../../src/report/pictures/svg-to-png.ts'
import { chartDocument, writePicture } from '../../../src/report/pictures/write-picture.ts'
import { AssayError } from '../../../src/util/errors.ts'
import { everyChart } from '../../charts/every-chart.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-pictures-'))
const textOnly = (text: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40" font-family="Arimo, sans-serif"><rect width="200" height="40" fill="#fff"/><text x="4" y="26" font-size="16">${text}</text></svg>`

it('writes an SVG unchanged, and creates its folder', async () => {
  const file = join(folder, 'new', 'folder', 'chart.svg')
  await writePicture(file, textOnly('a'))
  expect(readFileSync(file, 'utf8')).toBe(textOnly('a'))
})

it.each(Object.entries(everyChart))('writes %s as a PNG of 300 dots per inch that is not blank', async (name, draw) => {
  const svg = draw({ document: chartDocument() })
  const file = join(folder, `${name}.PNG`)
  await writePicture(file, svg)
  const png = readPng(readFileSync(file))
  const [, width = 0, height = 0] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)?.map(Number) ?? []
  expect(Math.abs(png.width - (width * 300) / 96)).toBeLessThanOrEqual(1)
  expect(Math.abs(png.height - (height * 300) / 96)).toBeLessThanOrEqual(1)
  expect(png.dotsPerMetre).toBe(11811)
  expect(png.inkShare).toBeGreaterThan(0.005)
})

it('has the text in the PNG, without the machine’s fonts', () => {
  const blank = readPng(svgToPng(textOnly('')))
  const text = readPng(svgToPng(textOnly('Coefficient −5% ≤ α')))
  expect(blank.inkShare).toBe(0)
  expect(text.inkShare).toBeGreaterThan(0.02)
})

it('gives the same bytes for the same picture', () => {
  expect(svgToPng(textOnly('same')).equals(svgToPng(textOnly('same')))).toBe(true)
})

it('does not fail on scripts missing in the shipped font', () => {
  expect(readPng(svgToPng(textOnly('模型 モデル'))).width).toBe(625)
})

it.each(['chart.jpg', 'chart.pdf', 'chart', 'png'])('refuses %s and lists its formats', async file => {
  const refused = writePicture(join(folder, file), textOnly('a'))
  await expect(refused).rejects.toThrow(AssayError)
  await expect(refused).rejects.toMatchObject({ code: 'usage', hint: 'give a file that ends in .svg or .png' })
})

it('reports a file that can’t be written', async () => {
  const refused = writePicture(join(folder, 'new', 'folder', 'chart.svg', 'below-a-file.svg'), textOnly('a'))
  await expect(refused).rejects.toMatchObject({ code: 'cannot_write' })
})

/** The facts of a PNG: size, resolution, and the share of bytes that differ from their neighbours (0 in a blank one). */
function readPng(bytes: Buffer) {
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const data: Buffer[] = []
  let dotsPerMetre = 0
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const kind = bytes.toString('latin1', at + 4, at + 8)
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)))
    if (kind === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + length))
    if (kind === 'pHYs') dotsPerMetre = bytes.readUInt32BE(at + 8)
    at += length + 12
  }
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const pixels = inflateSync(Buffer.concat(data))
  expect(pixels.length).toBe((width * 4 + 1) * height)
  // Rows are stored as differences to their neighbours, so that paper is 0; the first pixel and each row's kind are not.
  let changes = 0
  for (let at = width * 4 + 1; at < pixels.length; at++) if (at % (width * 4 + 1) > 4 && pixels[at] !== 0) changes++
  return { width, height, dotsPerMetre, inkShare: changes / pixels.length }
}
