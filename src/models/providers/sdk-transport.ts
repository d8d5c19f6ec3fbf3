import type { Clock } from '../../util/time.ts'
import { errorOfProvider } from '../errors/error-of-provider.ts'
import type { Environment } from '../keys/access.ts'
import type { Redact } from '../keys/redact.ts'
import type { OnDelta } from '../model-call.ts'
import type { Route } from '../route.ts'
import type { SdkModel } from './language-model.ts'
import { loadModel } from './load-model.ts'
import { readStream } from './read-stream.ts'
import { replyOf, type SdkAnswer } from './reply-of-result.ts'
import { sdkOptions } from './sdk-options.ts'
import { sentSettings } from './sent-settings.ts'
import type { Reply, Transport, TransportRequest } from './transport.ts'

/** A provider's package behind our own interface. It tries once: retries are ours, since each is paid for. */
export function sdkTransport(
  route: Route,
  { env, redact, clock }: { readonly env: Environment; readonly redact: Redact; readonly clock: Clock },
): Transport {
  let loading: Promise<SdkModel> | undefined
  return {
    async ask(request, signal) {
      let hasBegun = false
      const heard = (): void => {
        hasBegun = true
        request.heard()
      }
      try {
        loading ??= loadModel(route, env)
        const answer = await answerOf(
          await loading,
          { ...request, heard, onDelta: redactedDeltas(request, redact) },
          signal,
        )
        if (isBrokenOff(answer)) throw new Error('the answer was terminated by an error of the provider')
        return redacted(replyOf(answer, route), redact)
      } catch (error) {
        throw errorOfProvider(error, { route, redact, now: clock.now(), has_begun: hasBegun })
      }
    },
    sends: sentSettings,
  }
}

/** A key that comes in two pieces is not seen here; it is in the whole answer. */
const redactedDeltas = ({ onDelta }: TransportRequest, redact: Redact): OnDelta | undefined =>
  onDelta && (delta => onDelta(JSON.parse(redact(JSON.stringify(delta)))))

/** OpenRouter reports this as the reason why it finished. */
const isBrokenOff = ({ finish }: SdkAnswer): boolean => finish.unified === 'error' || finish.raw === 'error'

async function answerOf(model: SdkModel, request: TransportRequest, signal: AbortSignal): Promise<SdkAnswer> {
  const options = sdkOptions(request, signal)
  if (isStreamed(request)) return readStream(await model.doStream(options), request)
  const { content, finishReason, usage, providerMetadata, response, warnings } = await model.doGenerate(options)
  return {
    content,
    finish: finishReason,
    usage,
    metadata: providerMetadata,
    headers: response?.headers ?? {},
    model_id: response?.modelId,
    response_id: response?.id,
    warnings,
  }
}

/** A long answer takes minutes, during which only a stream shows whether it is still coming. */
const isStreamed = ({ route, max_output_tokens, onDelta }: TransportRequest): boolean =>
  onDelta !== undefined || (route.setting.stream ?? max_output_tokens > longAnswer)

const longAnswer = 8192

/** If a provider sends our key back, in whatever place, it gets no further than here. */
function redacted(reply: Reply, redact: Redact): Reply {
  const text = JSON.stringify(reply)
  const clean = redact(text)
  return clean === text ? reply : JSON.parse(clean)
}
