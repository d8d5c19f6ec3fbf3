import type { SdkResult, SdkStream, SdkStreamPart } from './language-model.ts'
import { type SdkAnswer, toolCall } from './reply-of-result.ts'
import type { TransportRequest } from './transport.ts'

type Content = SdkResult['content'][number]

/** Assembles a streamed answer. Rejects with the provider's error, or if it was cut off. */
export async function readStream(
  { stream, response }: SdkStream,
  { heard, onDelta }: Pick<TransportRequest, 'heard' | 'onDelta'>,
): Promise<SdkAnswer> {
  const texts = new Map<string, { type: 'text' | 'reasoning'; text: string; providerMetadata?: unknown }>()
  const content: Content[] = []
  let finish: Extract<SdkStreamPart, { type: 'finish' }> | undefined
  let about: { modelId?: string; id?: string } = {}
  let warnings: SdkResult['warnings'] = []
  for await (const part of stream) {
    heard()
    switch (part.type) {
      case 'stream-start':
        warnings = part.warnings
        break
      case 'text-start':
      case 'reasoning-start': {
        const block = { type: part.type === 'text-start' ? ('text' as const) : ('reasoning' as const), text: '' }
        texts.set(`${block.type} ${part.id}`, block)
        // It stays at its first position, and grows.
        content.push(block)
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const block = texts.get(`${part.type.replace('-delta', '')} ${part.id}`)
        if (block === undefined) break
        block.text += part.delta
        if (part.delta !== '') onDelta?.({ type: block.type, text: part.delta })
        break
      }
      case 'reasoning-end': {
        const block = texts.get(`reasoning ${part.id}`)
        if (block !== undefined && part.providerMetadata !== undefined) block.providerMetadata = part.providerMetadata
        break
      }
      case 'tool-call':
        content.push(part)
        onDelta?.({ type: 'tool_call', tool_call: toolCall(part) })
        break
      case 'response-metadata':
        about = { ...about, ...part }
        break
      case 'error':
        throw part.error
      case 'finish':
        finish = part
        break
    }
  }
  if (finish === undefined) throw new Error('the stream ended without a finish reason')
  return {
    content,
    finish: finish.finishReason,
    usage: finish.usage,
    metadata: finish.providerMetadata,
    headers: response?.headers ?? {},
    model_id: about.modelId,
    response_id: about.id,
    warnings,
  }
}
