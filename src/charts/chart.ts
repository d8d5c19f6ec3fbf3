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
