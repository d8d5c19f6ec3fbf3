import { crc32 } from 'node:zlib'

/** The same PNG, saying how many pixels an inch on paper has: programs for papers and slides then show it at its true size. */
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
