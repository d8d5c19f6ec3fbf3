/** What makes elements: a browser's `document`, or linkedom's. Charts never reach for a global one. */
export interface ChartDocument {
  createElementNS(namespace: string, name: string): unknown
}

/** What every chart can be told. */
export interface ChartOptions {
  readonly document: ChartDocument
  /** Pixels; 96 are an inch on paper. */
  readonly width?: number
  readonly title?: string
  readonly subtitle?: string
  /** The paper's colour; `none` lets the page show through. */
  readonly background?: string
  /** The page around it shows title and subtitle: in the picture they are only for those who can't see it. */
  readonly isCaptioned?: boolean
}

/** The ends of an interval, one or both of them perhaps infinite; what else it carries (level, method) is not drawn. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** Several charts under each other as one picture. Each keeps its own size; identifiers inside are kept apart. */
export function stacked(charts: readonly string[]): string {
  const [only] = charts
  if (only !== undefined && charts.length === 1) return only
  let top = 0
  let width = 0
  const placed = charts.map((svg, index) => {
    const size = sizeOf(svg)
    const own = withOwnIds(svg, `c${index}-`).replace(/<svg\b/, `<svg x="0" y="${top}"`)
    top += size.height
    width = Math.max(width, size.width)
    return own.replace(/^<\?xml[^>]*>\s*/, '')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}"><rect width="${width}" height="${top}" fill="#ffffff"/>\n${placed.join('\n')}</svg>\n`
}

function sizeOf(svg: string): { readonly width: number; readonly height: number } {
  const root = /<svg\b[^>]*>/.exec(svg)?.[0] ?? ''
  const number = (name: string): number => Number(new RegExp(`\\s${name}="([\\d.]+)`).exec(root)?.[1] ?? 0)
  return { width: number('width'), height: number('height') }
}

const withOwnIds = (svg: string, prefix: string): string =>
  svg
    .replace(/\bid="([^"]+)"/g, `id="${prefix}$1"`)
    .replace(/url\(#([^)]+)\)/g, `url(#${prefix}$1)`)
    .replace(
      /\baria-(labelledby|describedby)="([^"]+)"/g,
      (_, name, ids: string) =>
        `aria-${name}="${ids
          .split(' ')
          .map(id => prefix + id)
          .join(' ')}"`,
    )
    .replace(/\bhref="#([^"]+)"/g, `href="#${prefix}$1"`)
