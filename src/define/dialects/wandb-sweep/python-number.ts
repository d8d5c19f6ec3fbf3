import { pythonNumber } from '../../spelling/spelling.ts'

/** Whether Python reads a number as a float: by how it was written, as far as that is known. */
export function isFloat(value: number | undefined, spelling: string | null): boolean {
  if (value === undefined) return false
  return spelling === null ? !Number.isInteger(value) : !/^[-+]?[\d_]+$/.test(spelling)
}

/**
 * A number as it gets to the program. W&B reads files with PyYAML, which takes `1e-3` for text, as it lacks a point, so
 * it arrives there as it was written.
 */
export function numberAsPassed(value: number, spelling: string | null): string {
  if (spelling !== null && /^-?(0|[1-9]\d*)(\.\d+)?[eE][-+]?\d+$/.test(spelling) && !pyYamlFloat.test(spelling))
    return spelling
  return pythonNumber(value, spelling)
}

const pyYamlFloat = /^[-+]?\d[\d_]*\.[\d_]*([eE][-+]\d+)?$/
