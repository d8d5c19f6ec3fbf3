import { resolve } from 'node:path'
import { answerPower, type PowerAnswer } from '../../../analyze/power/answer.ts'
import { meansModel } from '../../../analyze/power/means.ts'
import type { Aim, PowerModel } from '../../../analyze/power/model.ts'
import { pilotModel, spreadOf } from '../../../analyze/power/pilot.ts'
import { sdWith } from '../../../analyze/power/rollouts.ts'
import { effectText, planSentence, powerSentence, rolloutsText } from '../../../analyze/power/sentence.ts'
import { provenanceLine } from '../../../analyze/provenance/provenance.ts'
import { wordsFor } from '../../../analyze/reading.ts'
import { isAvailable } from '../../../stats/estimate.ts'
import { AssayError } from '../../../util/errors.ts'
import { aimOf, modelOf, wishOf } from '../../analysis/power/power-input.ts'
import { type Pilot, pilotOf } from '../../analysis/power/power-pilot.ts'
import { powerProvenance } from '../../analysis/power/power-provenance.ts'
import { asksForRollouts, plansFor, type RolloutPlans, spreadFrom } from '../../analysis/power/power-rollouts.ts'
import { type PowerPage, powerLines } from '../../analysis/power/power-view.ts'
import { drawingOption } from '../../analysis/question.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'

export async function powerCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const pictures = options.output === undefined ? null : await import('../../../report/pictures/write-picture.ts')
  if (options.output !== undefined) pictures?.requirePictureEnding(options.output)
  const aim = aimOf(options)
  const pilot = pilotOf(args, options, io)
  const page = asksForRollouts(options, pilot) ? pageOfRollouts(options, pilot, aim) : pageOfRuns(options, pilot, aim)
  const provenance = powerProvenance(page.answer, pilot, options)
  const style = styler(io.stdout)
  if (options.json) writeJson(io.stdout, { ...jsonOf(page, pilot), provenance })
  else
    writeLines(io.stdout, [
      ...powerLines(page, tableWidth(io.stdout), style),
      ...(pilot === null ? [] : [style.dim(provenanceLine(provenance))]),
    ])
  if (options.output !== undefined) {
    const { powerPicture } = await import('../../analysis/power/power-picture.ts')
    await pictures?.writePicture(resolve(io.cwd, options.output), powerPicture(page, aim))
  }
  return 0
}

interface Page extends PowerPage {
  readonly plan: RolloutPlans['best'] | null
  readonly model: PowerModel
}

function pageOfRuns(options: Options, pilot: Pilot | null, aim: Aim): Page {
  const model = pilot === null ? modelOf(options, aim) : modelOfPilot(pilot, options, aim)
  const pilotRuns = pilot === null ? null : Math.min(pilot.samples.control.length, pilot.samples.candidate.length)
  const answer = answerPower(model, wishOf(options, pilotRuns), aim)
  const metric = pilot?.reading.metric ?? null
  return {
    answer,
    metric,
    model,
    plan: null,
    plans: [],
    sentence: powerSentence(answer, metric, pilotRuns),
    warnings: warningsFor(pilotRuns),
  }
}

function modelOfPilot(pilot: Pilot, options: Options, aim: Aim): PowerModel {
  const { method = 'auto', trials = 1000, resamples = 499 } = options
  const model = pilotModel(pilot.samples, aim, { method, trials, resamples, seed: drawingOption(options).seed })
  if ('unavailable' in model)
    throw new AssayError('usage', `the pilot says nothing about chance: ${wordsFor(model.unavailable)}`, {
      hint: 'give --sd, --base-rate or --discordant instead of it, or runs that differ',
    })
  return model
}

function pageOfRollouts(options: Options, pilot: Pilot | null, aim: Aim): Page {
  const spread = spreadFrom(options, pilot)
  const plans = plansFor(spread, options, aim)
  const rollouts = plans?.best.rollouts ?? options.rollouts
  if (rollouts === undefined)
    throw new AssayError('usage', 'how many rollouts of each task? give --rollouts, or costs to choose them by', {
      hint: '--task-cost 1 --rollout-cost 0.2',
    })
  const sd = sdWith(spread, rollouts)
  const model: PowerModel = {
    ...meansModel({ isPaired: true, sd, ratio: 1, units: `tasks × ${rolloutsText(rollouts)}` }, aim),
    assumptions: [
      `both arms try the same tasks; true differences vary over tasks by ${round(spread.taskSd)}, rollouts of a task by ${round(spread.rolloutSd)} (Miller 2024, with the t distribution)`,
      ...(plans === null ? [] : ['a rollout costs the same in both arms; costs are of both arms together']),
    ],
  }
  const tasks = pilot === null ? null : pilot.samples.control.length
  const wish =
    plans === null ? wishOf(options, tasks) : { effect: options.effect, runs: plans.best.tasks, sizes: options.sizes }
  const found = answerPower(model, wish, aim)
  const metric = pilot?.reading.metric ?? null
  const answer: PowerAnswer = plans === null ? found : { ...found, question: 'plan' }
  const about = {
    effect: options.effect ?? null,
    budget: options.budget ?? null,
    power: aim.power,
    isChosen: options.rollouts === undefined,
  }
  return {
    answer,
    metric,
    model,
    plan: plans?.best ?? null,
    plans: plans?.others ?? [],
    sentence:
      plans === null
        ? powerSentence(answer, metric, tasks)
        : planSentence(plans.best, about, effectText(answer, metric)),
    warnings: warningsFor(tasks),
  }
}

const round = (value: number): number => Number(value.toPrecision(3))

function warningsFor(pilotRuns: number | null): readonly string[] {
  if (pilotRuns === null || pilotRuns >= 10) return []
  return [`a pilot of ${pilotRuns} says little about the spread: take the upper end`]
}

function jsonOf({ answer, sentence, metric, plan, plans, warnings }: Page, pilot: Pilot | null): object {
  const { kind, ...rest } = answer
  return { kind, sentence, metric, ...rest, plan, plans, pilot: pilot === null ? null : pilotJson(pilot), warnings }
}

function pilotJson({ arms, samples }: Pilot): object {
  const spread = spreadOf(samples)
  return {
    control: arms.control.label,
    candidate: arms.candidate.label,
    n: { control: samples.control.length, candidate: samples.candidate.length },
    paired_by: samples.pairedBy,
    sd: isAvailable(spread) ? spread.sd : null,
  }
}
