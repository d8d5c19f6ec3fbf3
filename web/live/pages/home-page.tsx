import { useState } from 'preact/hooks'
import type { HostUsage, Overview, ReadOverview } from '../../../src/serve/wire.ts'
import { amountText, counted } from '../../../src/util/words.ts'
import { useTheme } from '../../state/theme.ts'
import { useEvents } from '../data/use-events.ts'
import { useHeadline } from '../data/use-headline.ts'
import { countsText, ProgressBar } from '../parts/progress-bar.tsx'
import { agoText, gigabytes } from '../parts/words.ts'
import { endOf } from '../strip/state.ts'
import { useTitle } from './use-title.ts'

/** All experiments under the root, what is under way first. */
export function HomePage() {
  const { said, isConnected } = useEvents(null, ['experiments', 'host'])
  const [theme, turnTheme] = useTheme()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const all = said.experiments as readonly Overview[] | undefined
  const host = (said.host as HostUsage | undefined) ?? null
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
          <ul class="experiments">
            {inOrder(all).map(one => (
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

interface CardProps {
  readonly one: ReadOverview
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const tones = { running: 'good', paused: 'warning', stopping: 'warning', partial: 'warning' } as const
const usd = amountText('cost_usd')

function Card({ one, isChosen, onChoose }: CardProps) {
  const { id, name, summary, state, best, metric, goal, budget_usd } = one
  const found = useHeadline(one)
  const badge = state === 'complete' ? endOf(summary) : { text: state, tone: tones[state] }
  const facts = [
    ...(best === null || metric === null
      ? []
      : [`best ${metric}: ${amountText(metric)(best.value)} (${goal === 'minimize' ? 'lowest' : 'highest'})`]),
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
        {one.description !== '' && <p class="experiment-about">{one.description}</p>}
        {found !== null && (
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

/** What is under way, then the newest. */
function inOrder(all: readonly Overview[]): readonly Overview[] {
  const rank = (one: Overview): number =>
    'problem' in one ? 2 : ['running', 'paused', 'stopping'].includes(one.state) ? 0 : 1
  const when = (one: Overview): number => ('problem' in one ? 0 : (one.last_at ?? one.created_at))
  return all.toSorted((a, b) => rank(a) - rank(b) || when(b) - when(a))
}
