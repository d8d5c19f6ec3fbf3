import type { ErrorFormat } from './refusal.ts'

/** Errors in OpenAI's format: `{ error: { message, type, param, code } }`. */
export const openaiErrors: ErrorFormat = {
  body: ({ message, type = 'invalid_request_error', param = null, code = null }) => ({
    error: { message, type, param, code },
  }),
  missingKey: {
    status: 401,
    message:
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password.",
  },
  wrongKey: { status: 401, message: 'Incorrect API key provided.', code: 'invalid_api_key' },
  unreadable: {
    status: 400,
    message:
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
  },
  unknownModel: model => ({
    status: 404,
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
    code: 'model_not_found',
  }),
  ofFault(fault, { model, input_tokens, context, retry_after_ms }) {
    switch (fault) {
      case 'rate_limited':
        return {
          status: 429,
          message: `Rate limit reached for ${model} (simulated)${retry_after_ms === null ? '' : `. Please try again in ${retry_after_ms}ms`}.`,
          type: 'requests',
          code: 'rate_limit_exceeded',
          retry_after_ms,
        }
      case 'server_error':
        return {
          status: 500,
          message: 'The server had an error while processing your request. Sorry about that! (simulated)',
          type: 'server_error',
        }
      case 'overloaded':
        return {
          status: 503,
          message: 'The engine is currently overloaded, please try again later (simulated)',
          type: 'server_error',
          code: 'overloaded',
        }
      case 'context_too_long':
        return {
          status: 400,
          message: `This model's maximum context length is ${context ?? input_tokens} tokens. However, your messages resulted in ${input_tokens} tokens. Please reduce the length of the messages.`,
          param: 'messages',
          code: 'context_length_exceeded',
        }
      default:
        return null
    }
  },
}

/** The Responses API uses other words. */
export const responsesErrors: ErrorFormat = {
  ...openaiErrors,
  ofFault: (fault, facts) =>
    fault === 'context_too_long'
      ? {
          status: 400,
          message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
          param: 'input',
          code: 'context_length_exceeded',
        }
      : openaiErrors.ofFault(fault, facts),
}
