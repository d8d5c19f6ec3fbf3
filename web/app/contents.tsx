import { useMemo } from 'preact/hooks'
import { type SectionId, titleOf } from '../../src/report/findings/page.ts'
import { usePage } from './context.ts'

/** The sections of this page. */
export function Contents({ shown }: { readonly shown: readonly SectionId[] }) {
  const { dataset, view } = usePage()
  const titles = useMemo(() => new Map(shown.map(id => [id, titleOf(id, dataset, view)])), [shown, dataset, view])
  return (
    <nav class="contents" aria-label="Contents">
      <ol>
        {shown.map(id => (
          <li key={id}>
            <a href={`#${id}`} onClick={event => jump(event, id)}>
              {titles.get(id)}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The address bar contains the view: a link inside the page must not overwrite it. */
function jump(event: MouseEvent, id: string): void {
  event.preventDefault()
  const heading = document.getElementById(`${id}-title`)
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
