import type { HostUsage, Progress, ProviderRate } from '../../../src/serve/wire.ts'
import { amountText, percentText, plainNumber } from '../../../src/util/words.ts'
import { Meter } from '../parts/meter.tsx'
import { countsText, ProgressBar } from '../parts/progress-bar.tsx'
import { gigabytes, timeText } from '../parts/words.ts'
import { ControlButtons } from './control-buttons.tsx'
import { RunningRuns } from './running-runs.tsx'
import { stateOf } from './state.ts'

interface LiveStripProps {
  readonly dir: string
  readonly progress: Progress
  readonly host: HostUsage | null
  readonly now: number
  readonly onOpen: (run: string) => void
}

const usd = amountText('cost_usd')

/** Its present state, and the possible actions. */
export function LiveStrip({ dir, progress, host, now, onOpen }: LiveStripProps) {
  const { summary } = progress
  const state = stateOf(progress)
  return (
    <section class="strip" aria-label="Progress">
      <div class="strip-head">
        <h1 class="strip-title">{progress.name}</h1>
        <span class={`badge ${state.tone}`}>{state.text}</span>
        <ControlButtons dir={dir} progress={progress} />
      </div>
      <ProgressBar summary={summary} />
      <p class="strip-counts">{countsText(summary)}</p>
      {progress.stopped_by !== null && <p class="strip-why">Stopped: {progress.stopped_by}.</p>}
      <dl class="meters">
        {progress.left_ms !== null && <Meter label="Time left" value={`about ${timeText(progress.left_ms)}`} />}
        <Spend progress={progress} />
        {host?.cpu != null && (
          <Meter
            label="Processors"
            value={percentText(Number(host.cpu.toFixed(2)))}
            share={host.cpu}
            more={`${host.cores} cores, load ${plainNumber(host.load)}`}
          />
        )}
        {host !== null && (
          <Meter
            label="Memory"
            value={gigabytes(host.memory_used_bytes)}
            share={host.memory_used_bytes / host.memory_total_bytes}
            isTight={host.memory_used_bytes > 0.92 * host.memory_total_bytes}
            more={`of ${gigabytes(host.memory_total_bytes)}`}
          />
        )}
        {progress.workers.length > 0 && (
          <Meter
            label="At work"
            value={`${progress.workers.reduce((sum, { slots }) => sum + slots, 0)} at a time`}
            more={progress.workers.map(({ kind, host: name, pid }) => `${kind} on ${name}, process ${pid}`).join('; ')}
          />
        )}
        {progress.machines.map(({ id, host: name, runs, slots, cpus, gpus, load }) => (
          <Meter
            key={id}
            label={name}
            value={`${runs} of ${slots} runs`}
            share={load / cpus}
            isTight={load > 1.5 * cpus}
            more={`load ${plainNumber(load)}, ${cpus} cores${gpus > 0 ? `, ${gpus} GPUs` : ''}`}
          />
        ))}
        {progress.rates.map(rate => (
          <Rate key={rate.provider} rate={rate} />
        ))}
      </dl>
      <RunningRuns progress={progress} now={now} onOpen={onOpen} />
    </section>
  )
}

function Spend({ progress: { summary, budget_usd, forecast } }: { readonly progress: Progress }) {
  if (summary.cost_usd === 0 && budget_usd === null) return null
  const more = [
    ...(budget_usd === null ? [] : [`of ${usd(budget_usd)}`]),
    ...(forecast === null || summary.pending + summary.running === 0 ? [] : [forecastText(forecast, budget_usd)]),
    ...(summary.overrun_usd > 0 ? [`${usd(summary.overrun_usd)} above the caps of runs`] : []),
  ]
  return (
    <Meter
      label="Spent"
      value={usd(summary.cost_usd)}
      share={budget_usd === null || budget_usd === 0 ? null : summary.cost_usd / budget_usd}
      isTight={budget_usd !== null && (forecast?.estimate_usd ?? summary.cost_usd) > budget_usd}
      more={more.length === 0 ? undefined : more.join(', ')}
    />
  )
}

/** The predicted total cost; a budget stops the experiment earlier. */
function forecastText({ estimate_usd, low_usd, high_usd }: Forecast, budget_usd: number | null): string {
  const range = usd(low_usd) === usd(high_usd) ? '' : ` (${usd(low_usd)} to ${usd(high_usd)})`
  const all = `about ${usd(estimate_usd)}${range}`
  return budget_usd !== null && low_usd > budget_usd
    ? `${all} for all runs: the budget ends it before that`
    : `${all} in the end`
}

type Forecast = NonNullable<Progress['forecast']>

/** How much of a provider's quota is left this minute. */
function Rate({ rate: { provider, requests, rpm, tokens, tpm, at_once, wait_ms } }: { readonly rate: ProviderRate }) {
  const shares = [...(rpm === null ? [] : [requests / rpm]), ...(tpm === null ? [] : [tokens / tpm])]
  const left = [
    rpm === null
      ? `${requests} requests this minute`
      : `${Math.max(0, rpm - requests)} of ${rpm} requests left this minute`,
    ...(tpm === null ? [] : [`${Math.max(0, tpm - tokens)} of ${tpm} tokens`]),
    ...(at_once === null ? [] : [`${at_once} at once`]),
    ...(wait_ms > 0 ? [`paused for ${timeText(wait_ms)}`] : []),
  ]
  const share = shares.length === 0 ? null : Math.max(...shares)
  return (
    <Meter
      label={provider}
      value={share === null ? 'no limit' : `${percentText(Number(share.toFixed(2)))} used`}
      share={share}
      isTight={wait_ms > 0 || (share ?? 0) > 0.95}
      more={left.join(', ')}
    />
  )
}
