import { levelText } from '../../../analyze/variants.ts'
import type { JsonObject } from '../../../util/json.ts'

/** `model=a, size=2`. */
export const levelsText = (levels: JsonObject): string =>
  Object.entries(levels)
    .map(([name, level]) => `${name}=${levelText(level)}`)
    .join(', ')
