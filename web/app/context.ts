import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Dataset } from '../../src/report/dataset/dataset.ts'
import type { View } from '../../src/report/findings/view.ts'
import type { Loaded } from '../data/source.ts'
import type { Place } from '../state/location.ts'

/** Shared by every part of the page. */
export interface Page {
  readonly loaded: Loaded
  readonly dataset: Dataset
  readonly view: View
  look(change: Partial<View>): void
  /** A typed filter that can't be applied: the page still shows the previous state. */
  readonly refused: RefusedFilter | null
  refuse(filter: RefusedFilter | null): void
  go(change: Partial<Place>): void
  open(run: string): void
}

export interface RefusedFilter {
  readonly filter: string
  readonly reason: string
}

export const PageContext = createContext<Page | null>(null)

export function usePage(): Page {
  const page = useContext(PageContext)
  if (page === null) throw new Error('there is no page around this')
  return page
}
