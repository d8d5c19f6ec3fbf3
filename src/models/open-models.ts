import type { ModelSettings } from '../define/models/model-settings.ts'
import { systemClock } from '../util/system-clock.ts'
import type { Clock } from '../util/time.ts'
import { BeyondBound, type BeyondStore } from './calls/beyond-bound.ts'
import type { KnownModel } from './calls/call-bound.ts'
import { type CallEstimate, type EarlierAnswers, estimateCall } from './calls/estimate-call.ts'
import { defaultRetryPolicy, type RetryPolicy } from './calls/retry-rule.ts'
import { RunCalls, type RunOfCalls } from './calls/run-calls.ts'
import { RunClient } from './calls/run-client.ts'
import { findRoute } from './find-route.ts'
import type { Environment } from './keys/access.ts'
import { keyDigest } from './keys/key-digest.ts'
import { type Redact, redactor } from './keys/redact.ts'
import type { ModelCall } from './model-call.ts'
import { contextOf, priceOf } from './prices/price-of.ts'
import { loadPriceTable } from './prices/price-table.ts'
import { sdkTransport } from './providers/sdk-transport.ts'
import { rememberingSettings, sentSettings } from './providers/sent-settings.ts'
import type { SettingsRequest, Transport, Warning } from './providers/transport.ts'
import type { ModelProxy, ProxyOptions } from './proxy/proxy.ts'
import type { Route } from './route.ts'
import { rehearsed } from './sim/rehearse.ts'
import { simTransport } from './sim/sim-transport.ts'

export interface ModelsOptions {
  /** Where keys and addresses are found; see `environmentFor`, which adds `.env`. */
  readonly env: Environment
  /** The `models:` section. */
  readonly settings?: ModelSettings | undefined
  readonly clock?: Clock
  readonly retry?: Partial<RetryPolicy>
  /** Every model is answered by a simulated one, at its real price. */
  readonly rehearse?: boolean
  /** Which model answered under which name before, in this process and in others. */
  readonly ids?: { get(model: string): string | undefined; set(model: string, id: string): void }
  /** What providers have billed beyond requests, in this process and in others. */
  readonly beyond?: BeyondStore | undefined
  /** Something that people should know, once each: a retired model, a model id that changed. */
  onNotice?(notice: string): void
}

/** The language models of an experiment, from one process's point of view. */
export interface Models {
  /** For the calls of one run. */
  client(run: RunOfCalls): RunClient
  /** An address through which a program makes the calls of one run; the caller closes it. */
  openProxy(options: ProxyOptions): Promise<ModelProxy>
  /** A model's route and price. Rejects with a ModelError if its name or its key is unknown. */
  find(name: string): Promise<KnownModel>
  /** The cost of a call, before it is made. */
  estimate(call: ModelCall, earlier: EarlierAnswers): Promise<CallEstimate>
  /** Removes all keys from a text. */
  readonly redact: Redact
}

export function openModels(options: ModelsOptions): Models {
  const { env, settings = {}, clock = systemClock, rehearse = false, onNotice = () => {} } = options
  const found = new Map<string, Promise<KnownModel>>()
  const ids = options.ids ?? new Map<string, string>()
  const beyond = options.beyond ?? new Map<string, string>()
  const warned = new Set<string>()

  const look = async (name: string): Promise<KnownModel> => {
    const real = await findRoute(name, { settings, env, now: clock.now(), table: loadPriceTable })
    const price = await priceOf(real, loadPriceTable)
    for (const note of real.notes) onNotice(note)
    const known = { ...real, setting: { ...real.setting, context: await contextOf(real, loadPriceTable) } }
    const route = rehearse ? rehearsed(known, settings) : known
    const transport = rememberingSettings(rehearse ? rehearsedTransport(known) : transportFor(route))
    return { route, price, transport, key_digest: keyDigest(route, env), beyond: new BeyondBound(name, beyond) }
  }
  const redact = redactor(
    env,
    Object.values(settings).flatMap(({ key }) => key ?? []),
  )
  const transportFor = (route: Route): Transport =>
    route.kind === 'sim' ? simTransport(clock) : sdkTransport(route, { env, redact, clock })

  /** A rehearsal reserves as much as the real calls would. */
  const rehearsedTransport = (real: Route): Transport => {
    const sim = simTransport(clock)
    const isPlain = ({ reasoning }: SettingsRequest) => reasoning === undefined && real.setting.options === undefined
    if (real.kind === 'sim') return sim
    return { ...sim, sends: call => (isPlain(call) ? sim.sends(call) : sentSettings({ ...call, route: real })) }
  }

  const find = (name: string): Promise<KnownModel> => {
    const known = found.get(name)
    if (known !== undefined) return known
    const promise = look(name)
    found.set(name, promise)
    // A user may set the key and try again.
    promise.catch(() => found.delete(name))
    return promise
  }

  const parts = {
    settings,
    is_rehearsal: rehearse,
    redact,
    clock,
    onNotice,
    retry: { ...defaultRetryPolicy, ...options.retry },
    find,
    warn({ route }: KnownModel, { name, message }: Warning) {
      const id = `${route.name} ${name}`
      if (warned.has(id)) return
      warned.add(id)
      onNotice(`${route.name}: ${message}`)
    },
    answered({ route }: KnownModel, modelId: string) {
      const before = ids.get(route.name)
      ids.set(route.name, modelId)
      if (before !== undefined && before !== modelId)
        onNotice(`${route.name}: the provider now answers as ${modelId}, before as ${before}: results may not compare`)
    },
  }
  const calls = (run: RunOfCalls): RunCalls => new RunCalls(parts, run)
  return {
    client: run => new RunClient(calls(run)),
    async openProxy(options) {
      // Only programs in boxes need it.
      const { openProxy } = await import('./proxy/proxy.ts')
      return openProxy(options, { calls: calls(options.run), env, redact, onNotice })
    },
    find,
    estimate: (call, earlier) => estimateCall(call, earlier, { find, at: clock.now() }),
    redact,
  }
}
