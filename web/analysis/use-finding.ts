import { createContext } from 'preact'
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type FindingName, type Found, findingOf } from '../../src/report/findings/findings.ts'
import type { View } from '../../src/report/findings/view.ts'
import type { OrReason } from '../../src/util/errors.ts'
import { usePage } from '../app/context.ts'
import type { Analyst } from './analyst.ts'

export const AnalystContext = createContext<Analyst | null>(null)

export interface Finding<T> {
  /** undefined: there was no answer yet. */
  readonly value: OrReason<T> | undefined
  /** It belongs to the previous question; the new answer is being computed. */
  readonly isOld: boolean
}

/** The finding for the view, once it is known; until then the previous one. */
export function useFinding<Name extends FindingName>(name: Name, view: View, about = ''): Finding<Found<Name>> {
  const analyst = useContext(AnalystContext)
  const [, redraw] = useState(0)
  const last = useRef<OrReason<Found<Name>> | undefined>(undefined)
  const known = analyst?.known({ name, view, about })
  useEffect(() => {
    if (analyst === null || known !== undefined) return
    return analyst.ask({ name, view, about }, () => redraw(count => count + 1))
  }, [analyst, name, view, about, known])
  if (known !== undefined) last.current = known
  return { value: known ?? last.current, isOld: known === undefined }
}

/** The same synchronously: for findings that take no longer than a message to a worker. */
export function useQuickFinding<Name extends FindingName>(name: Name, about = ''): Finding<Found<Name>> {
  const { dataset, view } = usePage()
  const value = useMemo(() => findingOf(dataset, { name, view, about }), [dataset, name, view, about])
  return { value, isOld: false }
}
