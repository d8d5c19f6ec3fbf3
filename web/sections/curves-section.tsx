import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { figuresOf } from '../../src/report/figures/figures.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import { leadingOf } from '../../src/report/findings/page.ts'
import { seriesNames } from '../../src/report/findings/view.ts'
import { useFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { Choice } from '../parts/field.tsx'
import { FigureView, FigureViews } from '../parts/figure-view.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { Section } from '../parts/section.tsx'

/** Metrics over steps, the variation between runs, and the influence of chance on each comparison. */
export function CurvesSection() {
  const { dataset, view } = usePage()
  const hasCurves = useMemo(() => seriesNames(dataset, view).length > 0, [dataset, view])
  return (
    <Section id="curves" title={hasCurves ? 'Curves, variation and chance' : 'Variation and chance'}>
      <CurvesPart />
      <VariationPart />
      <ProfilePart />
      <ChancePart />
    </Section>
  )
}

function CurvesPart() {
  const { dataset, view } = usePage()
  const names = useMemo(() => seriesNames(dataset, view), [dataset, view])
  const [chosen, setChosen] = useState<string | null>(null)
  const metric = chosen !== null && names.includes(chosen) ? chosen : (names[0] ?? '')
  if (names.length === 0) return null
  return <CurvesOf metric={metric} names={names} onChoose={setChosen} />
}

interface CurvesOfProps {
  readonly metric: string
  readonly names: readonly string[]
  readonly onChoose: (metric: string) => void
}

function CurvesOf({ metric, names, onChoose }: CurvesOfProps) {
  const { dataset, view } = usePage()
  const points = dataset.kept.series_points
  return (
    <FindingView finding={useFinding('curves', view, metric)}>
      {found => (
        <>
          <CurvesFigure
            found={found}
            controls={
              names.length < 2 ? undefined : (
                <Choice label="Series" value={metric} choices={names.map(name => [name, name])} onChoose={onChoose} />
              )
            }
          />
          {points !== null && (
            <p class="note">
              Series are drawn with at most {points} points each, so that the file stays small. Numbers made of them
              were computed from all points.
            </p>
          )}
        </>
      )}
    </FindingView>
  )
}

interface CurvesFigureProps {
  readonly found: Found<'curves'>
  readonly controls: ComponentChildren
}

function CurvesFigure({ found, controls }: CurvesFigureProps) {
  const figures = useMemo(() => figuresOf.curves(found), [found])
  return <FigureViews figures={figures} controls={() => controls} />
}

function VariationPart() {
  const { view } = usePage()
  return (
    <FindingView finding={useFinding('variation', view)} isQuiet>
      {found => <Variation all={found} />}
    </FindingView>
  )
}

function Variation({ all }: { readonly all: Found<'variation'> }) {
  const [chosen, setChosen] = useState('')
  const found = all.find(one => (one.variant ?? '') === chosen) ?? all[0]
  const [figure] = useMemo(() => (found === undefined ? [] : figuresOf.variation(found)), [found])
  if (figure === undefined || found === undefined) return null
  const variants = all.map(({ variant }) => variant ?? '')
  return (
    <FigureView
      figure={figure}
      most={found.statistics.length > 1 ? 960 : 640}
      controls={
        variants.length < 2 ? undefined : (
          <Choice
            label="Variant"
            value={found.variant ?? ''}
            choices={variants.map(name => [name, name])}
            onChoose={setChosen}
          />
        )
      }
    />
  )
}

function ProfilePart() {
  const { view } = usePage()
  return (
    <FindingView finding={useFinding('profile', view)} isQuiet>
      {found => <ProfileFigure found={found} />}
    </FindingView>
  )
}

function ProfileFigure({ found }: { readonly found: Found<'profile'> }) {
  const figures = useMemo(() => figuresOf.profile(found), [found])
  return <FigureViews figures={figures} most={640} />
}

/** If nothing is compared, the section on variants has already explained why. */
function ChancePart() {
  const { view } = usePage()
  const finding = useFinding('comparisons', view)
  if (finding.value !== undefined && 'reason' in finding.value) return null
  return <FindingView finding={finding}>{found => <Chance compared={found} />}</FindingView>
}

function Chance({ compared }: { readonly compared: Found<'comparisons'> }) {
  const [chosen, setChosen] = useState('')
  const comparison =
    compared.comparisons.find(({ candidate }) => candidate === chosen) ?? leadingOf(compared.comparisons)
  if (comparison === undefined) return null
  const names = compared.comparisons.map(({ candidate }) => candidate)
  return (
    <>
      {names.length > 1 && (
        <div class="figure-controls">
          <Choice
            label="Chance and shape of"
            value={comparison.candidate}
            choices={names.map(name => [name, `${name} − ${compared.baseline}`])}
            onChoose={setChosen}
          />
        </div>
      )}
      <ChanceOf comparison={comparison} />
    </>
  )
}

type Comparison = Found<'comparisons'>['comparisons'][number]

function ChanceOf({ comparison }: { readonly comparison: Comparison }) {
  const { view } = usePage()
  return (
    <FindingView finding={useFinding('samples', view, comparison.candidate)}>
      {samples => <ChanceFigures comparison={comparison} samples={samples} />}
    </FindingView>
  )
}

interface ChanceFiguresProps {
  readonly comparison: Comparison
  readonly samples: Found<'samples'>
}

function ChanceFigures({ comparison, samples }: ChanceFiguresProps) {
  const figures = useMemo(() => figuresOf.chance(comparison, samples), [comparison, samples])
  return (
    <div class="side-by-side">
      <FigureViews figures={figures} most={620} />
    </div>
  )
}
