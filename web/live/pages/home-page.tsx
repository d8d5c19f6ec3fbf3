import { useState } from 'preact/hooks'
import type { HostUsage, Overview, ReadOverview } from '../../../src/serve/wire.ts'
import { amountText, counted } from '../../../src/util/words.ts'
import { Choice, Field } from '../../parts/field.tsx'
import { useTheme } from '../../state/theme.ts'
import { useEvents } from '../data/use-events.ts'
import { useHeadline } from '../data/use-headline.ts'
import { countsText, ProgressBar } from '../parts/progress-bar.tsx'
import { agoText, gigabytes } from '../parts/words.ts'
import { endOf } from '../strip/state.ts'
import { type Order, orders, tagsIn, type Wanted, wantedOf } from './experiment-list.ts'
import { useTitle } from './use-title.ts'

/** All experiments under the root, running ones first. */
export function HomePage() {
  const { latest, isConnected } = useEvents(null, ['experiments', 'host'])
  const [theme, turnTheme] = useTheme()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [wanted, setWanted] = useState<Wanted>({ words: '', tag: null, order: 'activity' })
  const all = latest.experiments as readonly Overview[] | undefined
  const host = (latest.host as HostUsage | undefined) ?? null
  useTitle('assay: experiments')
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id])
  return (
    <div class="live home">
      <header class="home-head">
        <h1>Experiments</h1>
        {host !== null && (
          <p class="note">
            {host.name}: {host.cpu === null ? '' : `${Math.round(100 * host.cpu)}% of ${host.cores} processors, `}
            {gigabytes(host.memory_used_bytes)} of {gigabytes(host.memory_total_bytes)} memory
          </p>
        )}
        <button type="button" class="quiet" onClick={turnTheme} title="As your system has them, light, or dark">
          Colours: {theme}
        </button>
      </header>
      {!isConnected && (
        <p class="badge warning" role="status">
          The server does not answer: what you see may be old
        </p>
      )}
      {all === undefined ? (
        <p class="waiting">Looking for experiments …</p>
      ) : all.length === 0 ? (
        <p>
          There is no experiment here yet. <code>assay run</code> makes one; this page shows it within seconds.
        </p>
      ) : (
        <>
          <p class="home-tools">
            <a
              class={`button${chosen.length < 2 ? ' off' : ''}`}
              aria-disabled={chosen.length < 2}
              href={chosen.length < 2 ? undefined : `/compare?${new URLSearchParams(chosen.map(id => ['dir', id]))}`}
            >
              Compare{chosen.length === 0 ? '' : ` ${counted(chosen.length, 'experiment')}`}
            </a>
            <span class="note">
              {chosen.length < 2 ? 'Choose two or more by their boxes' : 'with the experiment as a factor'}
            </span>
          </p>
          <Finder all={all} wanted={wanted} onWant={change => setWanted({ ...wanted, ...change })} />
          <ul class="experiments">
            {wantedOf(all, wanted).map(one => (
              <li key={one.id}>
                {'problem' in one ? (
                  <Unreadable id={one.id} problem={one.problem} />
                ) : (
                  <Card one={one} isChosen={chosen.includes(one.id)} onChoose={() => toggle(one.id)} />
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

interface FinderProps {
  readonly all: readonly Overview[]
  readonly wanted: Wanted
  readonly onWant: (change: Partial<Wanted>) => void
}

/** Filters and sorts the list. */
function Finder({ all, wanted, onWant }: FinderProps) {
  const tags = tagsIn(all)
  const found = wantedOf(all, wanted).length
  return (
    <div class="home-finder">
      <Field label="Find" id="home-find">
        <input
          id="home-find"
          type="search"
          value={wanted.words}
          placeholder="name, description or tag"
          onInput={event => onWant({ words: event.currentTarget.value })}
        />
      </Field>
      <Choice
        label="Sort by"
        value={wanted.order}
        choices={Object.entries(orders)}
        onChoose={order => onWant({ order: order as Order })}
      />
      {tags.length > 0 && (
        <fieldset class="home-tags" aria-label="Tags">
          {tags.slice(0, mostTags).map(tag => (
            <button
              key={tag}
              type="button"
              class={tag === wanted.tag ? 'badge good' : 'badge'}
              aria-pressed={tag === wanted.tag}
              onClick={() => onWant({ tag: tag === wanted.tag ? null : tag })}
            >
              {tag}
            </button>
          ))}
        </fieldset>
      )}
      <span class="note" role="status">
        {found === all.length ? counted(all.length, 'experiment') : `${found} of ${counted(all.length, 'experiment')}`}
      </span>
    </div>
  )
}

const mostTags = 20

interface CardProps {
  readonly one: ReadOverview
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const tones = { running: 'good', paused: 'warning', stopping: 'warning', partial: 'warning' } as const
const usd = amountText('cost_usd')

function Card({ one, isChosen, onChoose }: CardProps) {
  const { id, name, summary, state, budget_usd } = one
  const found = useHeadline(one)
  const badge = state === 'complete' ? endOf(summary) : { text: state, tone: tones[state] }
  const facts = [
    ...(summary.cost_usd === 0 && budget_usd === null
      ? []
      : [`${usd(summary.cost_usd)} spent${budget_usd === null ? '' : ` of ${usd(budget_usd)}`}`]),
    ...(one.last_at === null ? [] : [`last run ended ${agoText(one.last_at, Date.now())}`]),
  ]
  return (
    <article class="experiment">
      <input type="checkbox" checked={isChosen} onChange={onChoose} aria-label={`Choose ${id} to compare`} />
      <div class="experiment-body">
        <p class="experiment-head">
          <a href={`/experiment?${new URLSearchParams({ dir: id })}`}>{name}</a>
          <span class={`badge ${badge.tone}`}>{badge.text}</span>
          {one.tags.map(tag => (
            <span key={tag} class="badge">
              {tag}
            </span>
          ))}
          {id !== name && <span class="note">{id}</span>}
        </p>
        {one.description !== '' && one.description !== name && <p class="experiment-about">{one.description}</p>}
        {found === undefined && <p class="experiment-verdict waiting">…</p>}
        {found != null && (
          <p class={`experiment-verdict ${found.verdict ?? 'none'}`}>
            {found.verdict !== null && <span class="badge">{found.verdict}</span>} {found.headline}
          </p>
        )}
        <ProgressBar summary={summary} />
        <p class="experiment-facts">
          {[countsText(summary), ...facts].map(fact => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
    </article>
  )
}

function Unreadable({ id, problem }: { readonly id: string; readonly problem: string }) {
  return (
    <article class="experiment">
      <span />
      <div class="experiment-body">
        <p class="experiment-head">
          {id}
          <span class="badge warning">can't be read</span>
        </p>
        <p class="experiment-about">{problem}</p>
      </div>
    </article>
  )
}
