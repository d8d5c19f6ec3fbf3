/** The sections, in the order of the questions they answer. */
const sections = [
  ['verdict', 'Verdict'],
  ['scores', 'Scores by task'],
  ['agents', 'Agents'],
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

/** Some are only there where there is something to say. */
export function Contents({ without }: { readonly without: readonly string[] }) {
  const shown = sections.filter(([id]) => !without.includes(id))
  return (
    <nav class="contents" aria-label="Contents">
      <ol>
        {shown.map(([id, title]) => (
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
