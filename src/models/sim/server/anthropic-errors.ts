import type { ErrorFormat } from './refusal.ts'

/** Errors in Anthropic's format: `{ type: 'error', error: { type, message }, request_id }`. */
export const anthropicErrors: ErrorFormat = {
  body: ({ message, type = 'invalid_request_error' }, request_id) => ({
    type: 'error',
    error: { type, message },
    request_id,
  }),
  missingKey: { status: 401, type: 'authentication_error', message: 'x-api-key header is required' },
  wrongKey: { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
  unreadable: { status: 400, message: 'The request body is not valid JSON' },
  unknownModel: model => ({ status: 404, type: 'not_found_error', message: `model: ${model}` }),
  ofFault(fault, { input_tokens, context, retry_after_ms }) {
    switch (fault) {
      case 'rate_limited':
        return {
          status: 429,
          type: 'rate_limit_error',
          message: 'This request would exceed your rate limit (simulated)',
          retry_after_ms,
        }
      case 'server_error':
        return { status: 500, type: 'api_error', message: 'Internal server error (simulated)' }
      case 'overloaded':
        return { status: 529, type: 'overloaded_error', message: 'Overloaded' }
      case 'context_too_long':
        return {
          status: 400,
          message: `prompt is too long: ${input_tokens} tokens > ${context ?? input_tokens} maximum`,
        }
      default:
        return null
    }
  },
}
