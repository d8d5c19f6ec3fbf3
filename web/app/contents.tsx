import { type SectionId, sectionTitles } from '../../src/report/findings/page.ts'

/** The sections of this page. */
export function Contents({ shown }: { readonly shown: readonly SectionId[] }) {
  return (
    <nav class="contents" aria-label="Contents">
      <ol>
        {shown.map(id => (
          <li key={id}>
            <a href={`#${id}`} onClick={event => jump(event, id)}>
              {sectionTitles[id]}
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
