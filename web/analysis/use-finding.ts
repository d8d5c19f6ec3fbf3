import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { View } from '../../src/report/findings/view.ts'
import type { Analyst } from './analyst.ts'
import type { TaskAnswer, TaskName } from './tasks.ts'

export const AnalystContext = createContext<Analyst | null>(null)

export interface Found<T> {
  /** undefined: there was no answer yet. */
  readonly value: T | undefined
  /** It belongs to what was asked before; the new answer is on its way. */
  readonly isOld: boolean
}

/** What a task says about the view, once it is known; until then what it said last. */
export function useFinding<Name extends TaskName>(name: Name, view: View, about = ''): Found<TaskAnswer<Name>> {
  const analyst = useContext(AnalystContext)
  const [, redraw] = useState(0)
  const last = useRef<TaskAnswer<Name> | undefined>(undefined)
  const known = analyst?.known({ name, view, about })
  useEffect(() => {
    if (analyst === null || known !== undefined) return
    return analyst.ask({ name, view, about }, () => redraw(count => count + 1))
  }, [analyst, name, view, about, known])
  if (known !== undefined) last.current = known
  return { value: known ?? last.current, isOld: known === undefined }
}
