import { armNames, labelOf } from '../../analyze/arms.ts'
import type { Effects } from '../../analyze/effects/effects.ts'
import { drawChart } from '../../charts/draw-chart.ts'
import { levelsText, levelText, percentText, plainNumber, writingOf } from '../../util/words.ts'
import { drawnIn, type Figure, pWriting, rangeOf, times, unitOf, valueWriting } from './figure.ts'

type Effect = Effects['main'][number]

/** Each level against its factor's baseline, averaged over everything else. */
export function mainEffectsFigure(effects: Effects): Figure {
  const { main, metric, goal } = effects
  const isYesNo = main.every(one => one.yes_no)
  const drawn = drawnIn(
    metric,
    isYesNo,
    main.map(({ estimate }) => estimate),
  )
  const write = isYesNo
    ? writingOf({ metric, yes_no: true }).difference
    : valueWriting(
        metric,
        false,
        main.map(({ estimate }) => estimate),
      )
  const level = percentText(main[0]?.ci?.level ?? 0.95)
  return {
    id: 'effects',
    title: `What each factor does to ${metric}`,
    caption: `${effects.headline.replace(/^[nt](?=o |he )/, letter => letter.toUpperCase())}. Each level against the baseline of its factor, averaged over everything else, with its ${level} confidence interval. Each interval is by itself.${familyText(effects)}${hollowText(main)}`,
    draw: options =>
      drawChart(
        'differences',
        {
          metric,
          ...(isYesNo ? { unit: 'pts' } : unitOf(drawn)),
          baseline: 'each factor’s baseline',
          goal,
          isPaired: main.every(one => one.pairing !== null),
          intervalLabel: `${level} CI`,
          rows: main.map(one => ({
            label: `${one.factor}: ${levelText(one.level)} − ${baselineOf(effects, one)}`,
            value: times(one.estimate, drawn.factor),
            interval: rangeOf(one.ci, drawn.factor),
            n: one.n.pairs ?? one.n.candidate,
            verdict: one.verdict,
            reason: one.reason,
          })),
        },
        options,
      ),
    table: {
      columns: [
        { name: 'factor' },
        { name: 'level' },
        { name: 'against' },
        { name: 'n', write: String },
        { name: 'difference', write },
        { name: `${level} CI low`, write },
        { name: `${level} CI high`, write },
        { name: 'ratio', write: plainNumber },
        { name: 'p corrected', write: pWriting(main) },
        { name: 'verdict' },
      ],
      rows: main.map(one => [
        one.factor,
        levelText(one.level),
        baselineOf(effects, one),
        one.n.pairs ?? one.n.candidate,
        one.estimate,
        one.ci?.low ?? null,
        one.ci?.high ?? null,
        one.effect.ratio?.value ?? null,
        one.p_adjusted ?? one.p,
        one.verdict,
      ]),
    },
  }
}

/** Here interactions count too: the same comparison may have a larger p than among the arms above. */
function familyText({ main, interactions, factors }: Effects): string {
  const tests = [...main, ...interactions].filter(({ p_adjusted }) => p_adjusted !== null).length
  if (tests < 2) return ''
  const which = interactions.length === 0 ? 'levels' : 'levels and interactions'
  const larger =
    factors.length < 2
      ? ''
      : ', so that it may be larger here than the same comparison has under Variants, where the family is smaller'
  return ` p is corrected for all ${tests} tests of ${which} as one family${larger}.`
}

/** An interval by itself may leave out 0 where the corrected p shows nothing. */
function hollowText(main: Effects['main']): string {
  const isOdd = main.some(
    ({ verdict, ci }) =>
      verdict === 'inconclusive' &&
      ci !== null &&
      ((ci.low !== null && ci.low > 0) || (ci.high !== null && ci.high < 0)),
  )
  return isOdd
    ? ' Hollow marks are not shown to differ after this correction, even where the interval leaves out 0.'
    : ''
}

const baselineOf = ({ factors }: Effects, { factor }: Effect): string =>
  levelText(factors.find(({ name }) => name === factor)?.baseline ?? null)

/** Rounding noise of sums counts as 0. */
const noNoise = (share: number): number => (Math.abs(share) < 1e-9 ? 0 : share)

/** How much of the variance between runs is due to what. */
export function sharesFigure({ shares, metric }: Effects): Figure | null {
  if ('reason' in shares) return null
  const { parts, units, of, unit } = shares
  return {
    id: 'shares',
    title: `Where the spread of ${metric} comes from`,
    caption: `Shares of the sum of squares over ${units === of ? `all ${of}` : `${units} of ${of}`} ${unit}s with a value of every combination.`,
    draw: options =>
      drawChart(
        'bars',
        {
          title: `Where the spread of ${metric} comes from`,
          metric: 'share of the spread',
          unit: '%',
          panels: [[{ bars: parts.map(({ source, share }) => ({ label: source, value: 100 * noNoise(share) })) }]],
        },
        options,
      ),
    table: {
      columns: [{ name: 'source' }, { name: 'share', write: percentText }],
      rows: parts.map(({ source, share }) => [source, noNoise(share)]),
    },
  }
}

/**
 * Ablations (or else the first factor) as multiples of their baseline; each setting of the other factors has a row in
 * the table.
 */
export function ratiosFigure(effects: Effects): Figure | null {
  const name = effects.deltas[0]?.factor ?? effects.factors[0]?.name
  const main = effects.main.filter(one => one.factor === name && one.effect.ratio !== null)
  const [first] = main
  // A single bar says what the comparison has said.
  if (name === undefined || first === undefined || main.length < 2) return null
  const level = percentText(first.effect.ratio?.level ?? 0.95)
  const nameOf = armNames([first.control, ...main.map(({ candidate }) => candidate)])
  const isJoint = effects.factors.some(factor => factor.name === name && factor.members !== undefined)
  const within = effects.deltas.filter(one => one.factor === name)
  const row = (setting: string, one: Effect) => [
    setting,
    levelText(one.level),
    one.effect.ratio?.value ?? null,
    one.effect.ratio?.low ?? null,
    one.effect.ratio?.high ?? null,
  ]
  return {
    id: 'ratios',
    title: `${effects.metric} as a multiple of ${nameOf(first.control)}`,
    caption: `Ratio of means on the same blocks, with its ${level} confidence interval; 1 is no change. The table has every setting of the other factors.`,
    draw: options =>
      drawChart(
        'ratios',
        {
          metric: effects.metric,
          baseline: nameOf(first.control),
          intervalLabel: `${level} CI`,
          ratios: main.map(one => ({
            label: isJoint ? one.candidate : labelOf({ [name]: one.level }),
            value: one.effect.ratio?.value ?? null,
            interval: rangeOf(one.effect.ratio),
          })),
        },
        options,
      ),
    table: {
      columns: [
        { name: 'within' },
        { name },
        { name: 'ratio', write: plainNumber },
        { name: `${level} CI low`, write: plainNumber },
        { name: `${level} CI high`, write: plainNumber },
      ],
      rows: [...main.map(one => row('all', one)), ...within.map(one => row(levelsText(one.within), one))],
    },
  }
}

/** What two factors do together beyond what each does alone. */
export function interactionsFigure({ interactions: all, main, metric }: Effects): Figure | null {
  // Levels that never come together, as zipped ones, have no interaction.
  const interactions = all.filter(({ estimate }) => estimate !== null)
  if (interactions.length === 0) return null
  const isYesNo = main.every(one => one.yes_no)
  const write = isYesNo
    ? writingOf({ metric, yes_no: true }).difference
    : valueWriting(
        metric,
        false,
        interactions.map(({ estimate }) => estimate),
      )
  const level = percentText(interactions[0]?.ci?.level ?? 0.95)
  return {
    id: 'interactions',
    title: 'Interactions',
    caption:
      'By how much the effect of one level changes when the other factor leaves its baseline. Each interval is by itself; p is corrected together with that of the effects above.',
    draw: null,
    table: {
      columns: [
        { name: 'together' },
        { name: 'n', write: String },
        { name: 'change of effect', write },
        { name: `${level} CI low`, write },
        { name: `${level} CI high`, write },
        { name: 'p corrected', write: pWriting(interactions) },
      ],
      rows: interactions.map(({ factors, levels, n, estimate, ci, p, p_adjusted }) => [
        `${factors[0]}=${levelText(levels[0])} × ${factors[1]}=${levelText(levels[1])}`,
        n,
        estimate,
        ci?.low ?? null,
        ci?.high ?? null,
        p_adjusted ?? p,
      ]),
    },
  }
}
