import type { ComponentChildren } from 'preact'
import { useId, useMemo, useRef, useState } from 'preact/hooks'
import { type Figure, tableCsv } from '../../src/report/figures/figures.ts'
import { useWidth } from '../state/use-width.ts'
import { DataTable } from './data-table.tsx'
import { download, fileName, pngOf } from './download.ts'
import { SvgView } from './svg-view.tsx'

/** Below this width a chart is drawn at this width and scaled down. */
const narrowest = 420
const widest = 960
/** Pictures for papers and slides are all equally wide. */
const exportWidth = 760

interface FigureViewProps {
  readonly figure: Figure
  /** Controls that belong to this figure alone. */
  readonly controls?: ComponentChildren
  /** Drawn over the chart, e.g. to react to the pointer. */
  readonly over?: (figure: Figure, width: number) => ComponentChildren
  readonly most?: number
}

interface FigureViewsProps extends Pick<FigureViewProps, 'most' | 'over'> {
  readonly figures: readonly Figure[]
  /** The controls of the figure with this id. */
  readonly controls?: (id: string) => ComponentChildren
}

/** The figures of a finding, under each other. */
export const FigureViews = ({ figures, controls, ...more }: FigureViewsProps) =>
  figures.map(figure => <FigureView key={figure.id} figure={figure} controls={controls?.(figure.id)} {...more} />)

/** A chart with the table behind it, and both as files. */
export function FigureView({ figure, controls, over, most = widest }: FigureViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const room = useWidth(place)
  const [isTable, setTable] = useState(figure.draw === null)
  const id = useId()
  const width = Math.min(most, Math.max(narrowest, room))
  const svg = useMemo(
    () =>
      figure.draw === null || room === 0
        ? null
        : figure.draw({ document, width, isCaptioned: true, background: 'none' }),
    [figure, width, room],
  )
  const { draw } = figure
  // Dozens of figures have the same buttons: screen readers must say which figure a button belongs to.
  const named = (text: string): string => `${text}: ${figure.title}`
  const whole = (): string => (draw === null ? '' : draw({ document, width: exportWidth }))
  return (
    <figure class="figure" aria-labelledby={`${id}-title`} data-figure={figure.id}>
      <figcaption>
        <h3 id={`${id}-title`}>{figure.title}</h3>
        <p>{figure.caption}</p>
        {controls !== undefined && <div class="figure-controls">{controls}</div>}
      </figcaption>
      <div ref={place} class="figure-place" style={{ maxWidth: `${most}px` }}>
        {svg !== null && <SvgView svg={svg} label={figure.title} />}
        {svg !== null && over?.(figure, width)}
      </div>
      <div class="figure-tools">
        {draw !== null && (
          <button
            type="button"
            class="quiet"
            aria-expanded={isTable}
            aria-label={named(isTable ? 'Hide the table' : 'Show as a table')}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'Hide the table' : 'Show as a table'}
          </button>
        )}
        <button
          type="button"
          class="quiet"
          aria-label={named('CSV')}
          onClick={() => download(fileName(figure.title, 'csv'), tableCsv(figure.table), 'text/csv')}
        >
          CSV
        </button>
        {draw !== null && (
          <>
            <button
              type="button"
              class="quiet"
              aria-label={named('SVG')}
              onClick={() => download(fileName(figure.title, 'svg'), whole(), 'image/svg+xml')}
            >
              SVG
            </button>
            <button
              type="button"
              class="quiet"
              aria-label={named('PNG')}
              onClick={async () => download(fileName(figure.title, 'png'), await pngOf(whole()))}
            >
              PNG
            </button>
          </>
        )}
      </div>
      {isTable && <DataTable table={figure.table} label={`${figure.title}, as a table`} />}
    </figure>
  )
}
