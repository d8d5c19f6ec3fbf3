import type { ContextFacts } from '../model-error.ts'

/** How many tokens there were and how many are allowed, if a provider's refusal says so. */
export function contextFacts(text: string): ContextFacts {
  const plain = text.replaceAll(/(?<=\d)[,_](?=\d{3})/g, '')
  for (const form of forms) {
    const found = form.exec(plain)?.groups
    if (found === undefined) continue
    return { used: numberOf(found.used), allowed: numberOf(found.allowed) }
  }
  return { used: null, allowed: null }
}

/** As OpenAI (and servers that speak like it), Anthropic, Google and Bedrock write it. */
const forms: readonly RegExp[] = [
  /maximum context length is (?<allowed>\d+) tokens.{0,60}?(?:requested|resulted in|has) (?:about )?(?<used>\d+) (?:input )?tokens/is,
  /maximum context length is (?<allowed>\d+)/i,
  /prompt is too long: (?<used>\d+) tokens > (?<allowed>\d+)/i,
  /context limit: (?<used>\d+) \+ \d+ > (?<allowed>\d+)/i,
  /input token count \(?(?<used>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<allowed>\d+)/i,
  /(?<used>\d+) tokens.{0,80}?(?:limit|maximum|context)[^\d]{0,40}(?<allowed>\d+)/is,
]

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text))
