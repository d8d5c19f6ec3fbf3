import { styleText } from 'node:util'

export type Style = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>>

/** Colours only if they are wanted: views call these functions without checking. */
export function styler(output: { readonly colour: boolean }): Style {
  return output.colour ? coloured : plain
}

// `wantsColour` has decided whether to colour; styleText would only check the stream again.
const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(format, text, { validateStream: false })

const coloured: Style = {
  bold: paint('bold'),
  dim: paint('dim'),
  red: paint('red'),
  green: paint('green'),
  yellow: paint('yellow'),
  cyan: paint('cyan'),
}

const same = (text: string): string => text
const plain: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same }
