/**
 * One style for every chart. Colours are Okabe and Ito's (2008), which colour-blind readers can distinguish, without
 * the yellow that vanishes on white; series also differ by dash and marker, so that a grey print is readable.
 */

/** Arimo ships with assay for PNG; Arial, Helvetica and Liberation Sans have the same widths, so nothing shifts in an SVG. */
export const fontFamily = "Arimo, Arial, Helvetica, 'Liberation Sans', sans-serif"

export const fontSize = { title: 15, text: 12, small: 11 } as const

export const ink = { text: '#222222', quiet: '#5f6368', axis: '#8a8f94', grid: '#e4e6e8', paper: '#ffffff' } as const

export const colors = {
  blue: '#0072b2',
  orange: '#e17c05',
  green: '#117a3d',
  red: '#c8201c',
  grey: '#7a7f85',
} as const

export interface SeriesStyle {
  readonly color: string
  readonly dash: string | undefined
  readonly symbol: 'circle' | 'square' | 'triangle' | 'diamond'
}

const seriesColors = ['#0072b2', '#d55e00', '#009e73', '#a6568c', '#56a0d3', '#8c6d00', '#444444'] as const
const dashes = [undefined, '7 3', '2 3', '9 3 2 3'] as const
const symbols = ['circle', 'square', 'triangle', 'diamond'] as const

/** Seven colours by four dashes: twenty-eight different series, more than anyone can read in one chart. */
export function seriesStyle(index: number): SeriesStyle {
  return {
    color: seriesColors[index % seriesColors.length] ?? colors.grey,
    dash: dashes[index % dashes.length],
    symbol: symbols[index % symbols.length] ?? 'circle',
  }
}
