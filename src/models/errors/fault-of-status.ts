import type { ModelFault } from '../model-error.ts'

/** The meaning of an answer with this HTTP status; the text distinguishes cases that providers put under one number. */
export function faultOfStatus(status: number, text: string): ModelFault {
  const lower = text.toLowerCase()
  const says = (...phrases: readonly RegExp[]): boolean => phrases.some(phrase => phrase.test(lower))
  switch (true) {
    case status === 429:
      return says(...noCredit) ? 'no_credit' : 'rate_limited'
    case status === 402:
      return 'no_credit'
    case status === 401:
      return 'wrong_key'
    case status === 403:
      return says(...filtered) ? 'content_filtered' : 'wrong_key'
    case status === 404:
      return 'unknown_model'
    case status === 413:
      return 'context_too_long'
    case status === 529 || status === 503:
      return 'overloaded'
    case status >= 500 || status === 408 || status === 409 || status === 425:
      return 'server_error'
    case status >= 400:
      return faultOfRefusal(says)
    default:
      return 'malformed_response'
  }
}

function faultOfRefusal(says: (...phrases: readonly RegExp[]) => boolean): ModelFault {
  if (says(...tooLong)) return 'context_too_long'
  if (says(...filtered)) return 'content_filtered'
  if (says(...noCredit)) return 'no_credit'
  if (says(/api[ _]key/, /invalid x-api-key/, /unrecognizedclient/, /security token/)) return 'wrong_key'
  if (
    says(
      /model.{0,60}(not found|does not exist|not exist|not supported|invalid|unknown|not available)/,
      /no such model/,
    )
  )
    return 'unknown_model'
  if (says(/(invalid|unknown|unsupported|not a valid) model/)) return 'unknown_model'
  return 'bad_request'
}

const tooLong = [
  /context[ _-]?(length|window|limit)/,
  /maximum context/,
  /(prompt|input|message)s? (is|are) too long/,
  /too many (input )?tokens/,
  /(input|prompt) tokens? (count |limit )?.{0,30}exceed/,
  /exceeds? the (maximum|max) (number of )?(input )?tokens/,
  /request too large/,
]

const filtered = [
  /content[ _-]?(filter|policy|management)/,
  /responsible ?ai/,
  /moderation/,
  /flagged/,
  /blocked by .{0,20}safety/,
]

const noCredit = [
  /insufficient[ _](quota|credit|balance|fund)/,
  /exceeded your current quota, please check your plan and billing/,
  /credit balance is too low/,
  /billing[ _](hard )?limit/,
  /payment required/,
]
