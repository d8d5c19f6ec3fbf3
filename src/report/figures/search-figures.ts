import { isResolved } from '../../analyze/search/importances.ts'
import { drawChart } from '../../charts/draw-chart.ts'
import { levelsText, levelText, listed, percentText } from '../../util/words.ts'
import type { SearchFindings } from '../findings/search.ts'
import { drawnIn, type Figure, unitOf, valueWriting } from './figure.ts'

/** How the search went. */
export function historyFigure({ objective, history, trials }: SearchFindings): Figure {
  const { metric, goal } = objective
  const write = valueWriting(metric)
  return {
    id: 'search-history',
    title: `${metric} of every variant tried`,
    caption:
      'In the order in which the search tried them. The best of many is flattered by chance: run it again on fresh blocks.',
    draw: options =>
      drawChart(
        'searchHistory',
        {
          metric,
          goal,
          ...unitOf(drawnIn(metric)),
          points: history.map(({ number, value, best }, at) => ({
            number,
            value,
            best,
            label: `${number}: ${levelsText(trials[at]?.params ?? {})}`,
          })),
        },
        options,
      ),
    table: {
      columns: [
        { name: 'variant', write: String },
        { name: 'parameters' },
        { name: 'runs', write: String },
        { name: metric, write },
        { name: 'best so far', write },
      ],
      rows: history.map(({ number, value, best }, at) => [
        number,
        levelsText(trials[at]?.params ?? {}),
        trials[at]?.runs ?? 0,
        value,
        best,
      ]),
    },
  }
}

/** Which parameters mattered. */
export function importancesFigure({ importances, objective }: SearchFindings): Figure | null {
  // A single parameter explains everything; if none is resolved, nothing can be said about any.
  if (importances.length < 2 || !importances.some(isResolved)) return null
  const unresolved = importances.filter(one => !isResolved(one)).map(({ parameter }) => parameter)
  const inPercent = (share: number) => 100 * Math.min(1, Math.max(0, share))
  return {
    id: 'importances',
    title: `What ${objective.metric} depends on`,
    caption: `Of the variance of the objective over the whole space, the share that each parameter explains alone (functional ANOVA on a random forest), ± one standard deviation over its trees, cut at 0 and 100%.${
      unresolved.length === 0
        ? ''
        : ` Not resolved, because that deviation is as large as the share: ${listed(unresolved, 8)}.`
    }`,
    draw: options =>
      drawChart(
        'bars',
        {
          title: `What ${objective.metric} depends on`,
          metric: 'share of the variance',
          unit: '%',
          intervalLabel: '± one standard deviation',
          panels: [
            [
              {
                bars: importances.map(one => ({
                  label: isResolved(one) ? one.parameter : `${one.parameter} (not resolved)`,
                  value: 100 * one.share,
                  interval: { low: inPercent(one.share - one.deviation), high: inPercent(one.share + one.deviation) },
                })),
              },
            ],
          ],
        },
        options,
      ),
    table: {
      columns: [
        { name: 'parameter' },
        { name: 'share', write: percentText },
        { name: 'sd', write: percentText },
        { name: 'resolved' },
      ],
      rows: importances.map(one => [one.parameter, one.share, one.deviation, isResolved(one) ? 'yes' : 'no']),
    },
  }
}

/** The effect of each parameter, with all others at their tried values. */
export function slicesFigure({ parallel, objective, importances, trials, best }: SearchFindings): Figure | null {
  const last = parallel.axes.length - 1
  if (last < 1) return null
  const importance = new Map(importances.map(({ parameter, share }) => [parameter, share]))
  const order = [...parallel.axes.keys()]
    .slice(0, last)
    .toSorted(
      (a, b) =>
        (importance.get(parallel.axes[b]?.name ?? '') ?? 0) - (importance.get(parallel.axes[a]?.name ?? '') ?? 0),
    )
  const places = [...order, last]
  const axes = places.flatMap(at => parallel.axes[at] ?? [])
  const write = valueWriting(objective.metric)
  return {
    id: 'slices',
    title: `${objective.metric} against each parameter`,
    caption: 'A point is a variant; where several have the same value of one parameter, they differ in the others.',
    draw: options =>
      drawChart(
        'slices',
        {
          goal: objective.goal,
          ...unitOf(drawnIn(objective.metric)),
          ...(best && { best: `variant ${best.number}` }),
          axes: axes.map(axis => (axis.kind === 'choice' ? { ...axis, levels: axis.levels.map(levelText) } : axis)),
          rows: parallel.rows.map(({ number, values }) => ({
            label: `variant ${number}`,
            values: places
              .map(at => values[at] ?? null)
              .map(value => (value === null || typeof value === 'number' ? value : levelText(value))),
          })),
        },
        options,
      ),
    table: {
      columns: [
        { name: 'variant', write: String },
        ...axes.map(({ name }, at) => ({ name, write: at === last ? write : levelText })),
        { name: 'runs', write: String },
      ],
      rows: parallel.rows.map(({ number, values }) => [
        number,
        ...places
          .map(at => values[at] ?? null)
          .map(value => (value === null || typeof value === 'number' ? value : levelText(value))),
        trials.find(trial => trial.number === number)?.runs ?? 0,
      ]),
    },
  }
}

/** Where good and bad variants lie. */
export function parallelFigure({ parallel, objective, best }: SearchFindings): Figure {
  const axes = parallel.axes.map(axis =>
    axis.kind === 'choice' ? { ...axis, levels: axis.levels.map(levelText) } : axis,
  )
  return {
    id: 'parallel-coordinates',
    title: 'Every variant across its parameters',
    caption: 'A line is a variant, from its parameters to its result.',
    draw: options =>
      drawChart(
        'parallelCoordinates',
        {
          goal: objective.goal,
          ...(best && { best: `variant ${best.number}` }),
          axes,
          rows: parallel.rows.map(({ number, values }) => ({
            label: `variant ${number}`,
            values: values.map(value => (value === null || typeof value === 'number' ? value : levelText(value))),
          })),
        },
        options,
      ),
    table: {
      columns: [
        { name: 'variant', write: String },
        ...parallel.axes.map(({ name }) => ({
          name,
          write: name === objective.metric ? valueWriting(name) : levelText,
        })),
      ],
      rows: parallel.rows.map(({ number, values }) => [
        number,
        ...values.map(value => (value === null || typeof value === 'number' ? value : levelText(value))),
      ]),
    },
  }
}
