import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useSeen } from '../state/use-seen.ts'

interface SectionProps {
  readonly id: string
  readonly title: string
  readonly lede?: string
  readonly children: ComponentChildren
}

/** A section of the report. Sections far below are only rendered when the reader comes near. */
export function Section({ id, title, lede, children }: SectionProps) {
  const place = useRef<HTMLElement>(null)
  const isSeen = useSeen(place)
  return (
    <section id={id} ref={place} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      {lede !== undefined && <p class="lede">{lede}</p>}
      {isSeen ? children : <div class="later" />}
    </section>
  )
}
