import { useMemo } from 'preact/hooks'
import type { Overview } from '../../../src/serve/wire.ts'
import { useDataset } from '../data/use-dataset.ts'
import { useEvents } from '../data/use-events.ts'
import { TopBar } from '../parts/top-bar.tsx'
import { LiveReport } from './live-report.tsx'
import { useTitle } from './use-title.ts'

/** Several experiments as one dataset: the experiment of a run is a factor. */
export function ComparePage({ dirs }: { readonly dirs: readonly string[] }) {
  const { latest, isConnected } = useEvents(null, ['experiments'])
  const all = latest.experiments as readonly Overview[] | undefined
  const version = useMemo(() => all && versionOf(all, dirs), [all, dirs])
  const dataset = useDataset(dirs, version ?? null)
  useTitle(`assay: ${dirs.join(', ')}`)
  return (
    <div class="live">
      <TopBar isConnected={isConnected}>
        <li>
          {dirs.map((dir, at) => (
            <span key={dir}>
              {at === 0 ? '' : at === dirs.length - 1 ? ' and ' : ', '}
              <a href={`/experiment?${new URLSearchParams({ dir })}`}>{dir}</a>
            </span>
          ))}
        </li>
      </TopBar>
      <LiveReport dirs={dirs} state={dataset} />
    </div>
  )
}

const versionOf = (all: readonly Overview[], dirs: readonly string[]): string =>
  dirs
    .map(dir => {
      const one = all.find(({ id }) => id === dir)
      return one === undefined || 'problem' in one ? 'none' : one.version
    })
    .join('+')
