import { useMemo, useRef, useState } from 'preact/hooks'
import type { Figure, RunPoint } from '../../src/report/figures/figures.ts'
import { amountText } from '../../src/util/words.ts'
import { usePage } from '../app/context.ts'
import { runById } from '../runs/run-index.ts'

/** Points farther from the pointer than this are not selected. */
const reach = 18

interface RunPointsProps {
  readonly figure: Figure
  readonly metric: string
  readonly width: number
}

/** Shows the run of a point, selected with the pointer or the arrow keys. */
export function RunPoints({ figure, metric, width }: RunPointsProps) {
  const { dataset, open } = usePage()
  const place = useRef<HTMLDivElement>(null)
  const [point, setPoint] = useState<RunPoint | null>(null)
  const points = useMemo(() => figure.points?.(width) ?? [], [figure, width])
  const offset = frameOffset(place.current)
  const scale = scaleOf(place.current, width)
  const near = ({ offsetX, offsetY }: MouseEvent): RunPoint | null => {
    const [x, y] = [offsetX / scale - offset.x, offsetY / scale - offset.y]
    let best: RunPoint | null = null
    let least = reach ** 2
    for (const one of points) {
      const distance = (one.x - x) ** 2 + (one.y - y) ** 2
      if (distance >= least) continue
      least = distance
      best = one
    }
    return best
  }
  const step = (event: KeyboardEvent): void => {
    const [along, across] = steps[event.key] ?? [0, 0]
    if (event.key === 'Enter' && point !== null) open(point.run)
    if (along === 0 && across === 0) return
    event.preventDefault()
    setPoint(nextPoint(points, point, along, across))
  }
  const shown = point === null ? undefined : runById(dataset, point.run)
  return (
    <div
      ref={place}
      class="points"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk through the points
      tabIndex={0}
      role="application"
      aria-label="Runs as points: arrow keys step through them, Enter opens one"
      onMouseMove={event => setPoint(near(event))}
      onMouseLeave={() => setPoint(null)}
      onClick={event => {
        const one = near(event)
        if (one !== null) open(one.run)
      }}
      onKeyDown={step}
    >
      {point !== null && shown !== undefined && (
        <>
          <span
            class="point-ring"
            style={{ left: `${scale * (point.x + offset.x)}px`, top: `${scale * (point.y + offset.y)}px` }}
          />
          <div
            class="tooltip"
            role="status"
            style={{
              left: `${Math.min(scale * (point.x + offset.x), (place.current?.clientWidth ?? 0) - 240)}px`,
              top: `${scale * (point.y + offset.y) + 14}px`,
            }}
          >
            <strong>{amountText(metric)(point.value)}</strong>
            <span>{point.label}</span>
            <span class="run-name">{shown.run.name}</span>
          </div>
        </>
      )}
    </div>
  )
}

const steps: Readonly<Record<string, readonly [along: number, across: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
}

/** The position of the panel with the points in the picture. */
function frameOffset(place: HTMLElement | null): { readonly x: number; readonly y: number } {
  const panel = place?.parentElement?.querySelector('svg > svg')
  return { x: Number(panel?.getAttribute('x') ?? 16), y: Number(panel?.getAttribute('y') ?? 22) }
}

/** On a narrow screen the picture is shown smaller than it was drawn. */
function scaleOf(place: HTMLElement | null, width: number): number {
  const shown = place?.parentElement?.querySelector('.chart > svg')?.getBoundingClientRect().width
  return shown === undefined || shown === 0 ? 1 : shown / width
}

/** The next larger or smaller value of the row, or the nearest of the next row. */
function nextPoint(points: readonly RunPoint[], from: RunPoint | null, along: number, across: number): RunPoint | null {
  if (from === null) return points[0] ?? null
  const rows = [...new Set(points.map(({ row }) => row))]
  const row = across === 0 ? from.row : (rows[rows.indexOf(from.row) + across] ?? from.row)
  const own = points.filter(one => one.row === row).toSorted((a, b) => a.value - b.value)
  if (across !== 0)
    return own.reduce(
      (best, one) => (Math.abs(one.x - from.x) < Math.abs(best.x - from.x) ? one : best),
      own[0] ?? from,
    )
  const at = own.findIndex(one => one.run === from.run)
  return own[Math.max(0, Math.min(own.length - 1, at + along))] ?? from
}
