import { amountText, isMoney } from '../../src/util/words.ts'

/** A number of one run: a whole one, such as tokens, without the zeros that a mean would have. */
export function valueText(metric: string): (value: number) => string {
  const write = amountText(metric)
  return value => {
    const text = write(value)
    return Number.isInteger(value) && !isMoney(metric) ? text.replace(/\.0+(?= |$)/, '') : text
  }
}
