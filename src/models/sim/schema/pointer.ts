import { isJsonObject, type Json } from '../../../util/json.ts'
import { SimRefused } from '../sim-refused.ts'

/** The part of a schema that `#/$defs/…` names. */
export function referred(reference: string, root: Json): Json {
  if (!reference.startsWith('#'))
    throw new SimRefused(`$ref ${JSON.stringify(reference)}: only references inside the schema ("#/…") are followed`)
  const steps = decodeURIComponent(reference.slice(1)).split('/').slice(1)
  let here: Json | undefined = root
  for (const step of steps.map(written => written.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    if (Array.isArray(here)) here = here[Number(step)]
    else here = isJsonObject(here) && Object.hasOwn(here, step) ? here[step] : undefined
  }
  if (here === undefined) throw new SimRefused(`$ref ${JSON.stringify(reference)}: the schema has no such part`)
  return here
}
