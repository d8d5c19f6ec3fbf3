import { parseHTML } from 'linkedom'
import type { ChartDocument } from '../../charts/drawing/panel.ts'

/** A document for charts where there is no browser. */
export function chartDocument(): ChartDocument {
  return parseHTML('<!doctype html><html><body></body></html>').document
}
