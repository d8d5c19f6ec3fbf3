import type { ComponentChildren } from 'preact'
import { isRead } from '../../src/report/dataset/turns.ts'
import { pairNames } from '../runs/difference-table.tsx'
import { Unread, type UnreadFile } from './unread.tsx'

/** One of two runs: its known turns, and a way to load more. */
export interface Side<View, More> {
  readonly found: View | UnreadFile | null
  readonly more: More | null
}

interface PairSectionProps<View, More> {
  readonly a: Side<View, More>
  readonly b: Side<View, More>
  /** For the heading. */
  readonly title: string
  /** The name of a single one: `run`, for example. */
  readonly what: string
  readonly class?: string
  readonly facts: (view: View) => ComponentChildren
  /** Where two of them diverge, in words. */
  readonly sentences: (a: View, b: View) => readonly string[]
  readonly turns: (a: Known<View, More>, b: Known<View, More>) => ComponentChildren
}

interface Known<View, More> {
  readonly view: View
  readonly more: More | null
}

/** Two runs turn by turn; if one of them can't be shown like this, the facts about each. */
export function PairSection<View extends object, More>({ a, b, ...props }: PairSectionProps<View, More>) {
  const { title, what, facts, sentences, turns } = props
  if (a.found === null && b.found === null) return null
  const known = [a, b].flatMap(({ found, more }) =>
    found !== null && isView<View>(found) ? [{ view: found, more }] : [],
  )
  const [one, other] = known
  return (
    <section class={`trajectory ${props.class ?? ''}`.trim()} aria-label={title}>
      <h3>{title}</h3>
      {one !== undefined && other !== undefined ? (
        <>
          <ul class="sentences divergence">
            {sentences(one.view, other.view).map(sentence => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <div class="two">
            {known.map(({ view }, at) => (
              <div key={at}>
                <p class="side-name">{pairNames[at]}</p>
                {facts(view)}
              </div>
            ))}
          </div>
          {turns(one, other)}
        </>
      ) : (
        <div class="two">
          {[a, b].map(({ found }, at) => (
            <div key={at}>
              {found === null ? (
                <p class="reason">
                  {pairNames[at]} has no {what} here.
                </p>
              ) : isView<View>(found) ? (
                facts(found)
              ) : (
                <Unread found={found} />
              )}
            </div>
          ))}
        </div>
      )}
    </section>
  )
}

const isView = <View extends object>(found: View | UnreadFile): found is View => isRead(found)
