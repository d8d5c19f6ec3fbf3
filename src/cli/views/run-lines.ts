import { fitMiddle, fitText, textWidth } from './text-width.ts'

interface RunNews {
  readonly mark: string
  readonly run: string
  readonly text: string
}

/**
 * A run with a message, in lines of this width: on one if both fit, if necessary without the hash at the end of the
 * name; otherwise on two, so that neither hides the other.
 */
export function runLines(news: RunNews, columns: number): string[] {
  const whole = wholeLine(news, columns)
  if (whole !== undefined) return [whole]
  const { mark, run, text } = news
  const indent = ' '.repeat(textWidth(mark) + 1)
  return [`${mark} ${fitMiddle(withoutHash(run), columns - indent.length)}`, `${indent}${text}`].map(line =>
    fitText(line, columns),
  )
}

/** The same on one line: the name is truncated. */
export function runLine(news: RunNews, columns: number): string {
  const { mark, run, text } = news
  const room = columns - textWidth(`${mark}   ${text}`)
  return wholeLine(news, columns) ?? fitText(`${mark} ${fitMiddle(withoutHash(run), room)}  ${text}`, columns)
}

const wholeLine = ({ mark, run, text }: RunNews, columns: number): string | undefined =>
  [run, withoutHash(run)].map(name => `${mark} ${name}  ${text}`).find(line => textWidth(line) <= columns)

const withoutHash = (run: string): string => run.replace(/__[0-9a-f]{12}$/, '')
