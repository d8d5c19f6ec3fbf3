/** Makes elements: a browser's `document`, or linkedom's. Charts never use a global one. */
export interface ChartDocument {
  createElementNS(namespace: string, name: string): unknown
}

/** The options of every chart. */
export interface ChartOptions {
  readonly document: ChartDocument
  /** Pixels; 96 are an inch on paper. */
  readonly width?: number
  readonly title?: string
  readonly subtitle?: string
  /** The background colour; `none` lets the page show through. */
  readonly background?: string
  /** The surrounding page shows title and subtitle: in the picture they are only for readers who can't see it. */
  readonly isCaptioned?: boolean
}

/** The ends of an interval, one or both of them perhaps infinite; other fields (level, method) are not drawn. */
export interface Range {
  readonly low: number
  readonly high: number
}
