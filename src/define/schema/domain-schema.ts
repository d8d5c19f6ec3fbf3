import * as z from 'zod'
import type { Domain, Step } from '../experiment.ts'

const number = z.number({ error: 'expected a number' })
const above0 = z.number({ error: 'expected a number above 0' }).positive({ error: 'expected a number above 0' })

/** The keys of a factor whose levels are numbers of a range. */
export const domainKeys = {
  min: number.optional().describe('The smallest number. With "max": numbers in between, for a search.'),
  max: number.optional().describe('The largest number.'),
  mean: number.optional().describe('With "sd": normally distributed numbers. On a log scale, of the logarithm.'),
  sd: above0.optional().describe('The standard deviation that goes with "mean".'),
  beta: z
    .tuple([above0, above0], { error: 'expected two numbers above 0, such as [2, 5]' })
    .optional()
    .describe('Numbers between 0 and 1, distributed as Beta(a, b).'),
  scale: z.enum(['linear', 'log']).optional().describe('log: 0.001 to 0.01 counts as much as 0.01 to 0.1.'),
  integer: z.boolean().optional().describe('Whole numbers only.'),
  step: above0.optional().describe('Only every so many: min, min + step, … up to max.'),
}

export type WrittenDomain = { readonly [Key in keyof typeof domainKeys]?: z.output<(typeof domainKeys)[Key]> }

/** A problem although each key is valid, and which of them to point at. */
export interface DomainMistake {
  readonly key: keyof typeof domainKeys | null
  readonly message: string
}

/** The numbers that are meant; null if none of the keys is given. */
export function domainOf(written: WrittenDomain): Domain | DomainMistake | null {
  const given = Object.keys(domainKeys).filter(key => written[key as keyof WrittenDomain] !== undefined)
  if (given.length === 0) return null
  const kinds = [['min', 'max'], ['mean', 'sd'], ['beta']].filter(keys => keys.some(key => given.includes(key)))
  if (kinds.length > 1)
    return { key: null, message: `give min and max, mean and sd, or beta, not several of them (${given.join(', ')})` }
  if (written.integer && written.step !== undefined && !Number.isInteger(written.step))
    return { key: 'step', message: `whole numbers can't be ${written.step} apart: leave "integer" or "step" out` }
  if (written.beta !== undefined) return betaDomain(written, written.beta)
  if (given.includes('mean') || given.includes('sd')) return normalDomain(written)
  return uniformDomain(written)
}

function uniformDomain({ min, max, scale = 'linear', integer, step }: WrittenDomain): Domain | DomainMistake {
  if (min === undefined || max === undefined)
    return { key: null, message: `"${min === undefined ? 'min' : 'max'}" is missing` }
  if (min >= max) return { key: 'min', message: `min must be less than max, got ${min} and ${max}` }
  if (scale === 'log' && min <= 0)
    return { key: 'min', message: `a log scale has only numbers above 0, got a minimum of ${min}` }
  if (integer && !(Number.isInteger(min) && Number.isInteger(max)))
    return { key: Number.isInteger(min) ? 'max' : 'min', message: 'whole numbers need whole limits' }
  const size = step ?? (integer ? 1 : null)
  if (size !== null && size > max - min)
    return { key: 'step', message: `the step ${size} is larger than the range from ${min} to ${max}` }
  return { kind: 'uniform', min, max, scale, step: size === null ? null : { size, from: min } }
}

function normalDomain({ mean, sd, scale = 'linear', integer, step }: WrittenDomain): Domain | DomainMistake {
  if (mean === undefined || sd === undefined)
    return { key: null, message: `"${mean === undefined ? 'mean' : 'sd'}" is missing` }
  return { kind: 'normal', mean, sd, scale, step: stepFrom0(integer, step) }
}

function betaDomain({ scale, integer, step }: WrittenDomain, [a, b]: [number, number]): Domain | DomainMistake {
  if (scale === 'log') return { key: 'scale', message: 'a beta distribution has no log scale' }
  if (integer) return { key: 'integer', message: 'a beta distribution lies between 0 and 1' }
  return { kind: 'beta', a, b, step: stepFrom0(false, step) }
}

const stepFrom0 = (integer: boolean | undefined, step: number | undefined): Step | null =>
  step === undefined && !integer ? null : { size: step ?? 1, from: 0 }
