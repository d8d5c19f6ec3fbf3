import { pythonNumber } from '../../spelling/spelling.ts'

/** Whether Python reads a number as a float: judged by how it was written, if that is known. */
export function isFloat(value: number | undefined, spelling: string | null): boolean {
  if (value === undefined) return false
  return spelling === null ? !Number.isInteger(value) : !/^[-+]?(0x[\da-f_]+|[\d_]+)$/i.test(spelling)
}

/**
 * A number as the program receives it. W&B reads files with PyYAML, which takes `1e-3` for text because it has no
 * point, so it arrives in its original spelling.
 */
export function numberAsPassed(value: number, spelling: string | null): string {
  if (spelling !== null && /^-?(0|[1-9]\d*)(\.\d+)?[eE][-+]?\d+$/.test(spelling) && !pyYamlFloat.test(spelling))
    return spelling
  return pythonNumber(value, spelling)
}

const pyYamlFloat = /^[-+]?\d[\d_]*\.[\d_]*([eE][-+]\d+)?$/
