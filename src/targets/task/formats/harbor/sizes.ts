import * as z from 'zod'

/** Megabytes in `2G`, `512M` or `1024K`, as older tasks write memory and storage. */
export const oldSize = z.string().transform((written, context): number => {
  const [, number, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([GMK])i?B?\s*$/i.exec(written) ?? []
  const factor = { G: 1024, M: 1, K: 1 / 1024 }[unit.toUpperCase()]
  const megabytes = Math.ceil(Number(number) * (factor ?? Number.NaN))
  if (megabytes > 0) return megabytes
  context.addIssue('expected a size such as 2G, 512M or 1024K')
  return z.NEVER
})
