/** The sections, in the order of the questions they answer. */
const sections = [
  ['verdict', 'Verdict'],
  ['variants', 'Variants'],
  ['cost', 'Cost and score'],
  ['effects', 'Effects'],
  ['distributions', 'Distributions'],
  ['curves', 'Curves and chance'],
  ['search', 'Search'],
  ['failures', 'Failures'],
  ['runs', 'Runs'],
  ['provenance', 'Provenance'],
] as const

export function Contents() {
  return (
    <nav class="contents" aria-label="Contents">
      <ol>
        {sections.map(([id, title]) => (
          <li key={id}>
            <a href={`#${id}`} onClick={event => jump(event, id)}>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The address bar says what is looked at: a link inside the page must not overwrite it. */
function jump(event: MouseEvent, id: string): void {
  event.preventDefault()
  const heading = document.getElementById(`${id}-title`)
  heading?.scrollIntoView({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
