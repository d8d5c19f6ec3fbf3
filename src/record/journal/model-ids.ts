import type { ModelIds } from '../../define/target.ts'
import type { Clock } from '../../util/time.ts'
import { logEvent } from './events.ts'
import type { Journal } from './journal.ts'

/** Model ids in the experiment's log: what one process saw today, another compares with next month. */
export function recordedModelIds(journal: Journal, clock: Clock): ModelIds {
  const known = new Map<string, string>()
  const recorded = (model: string) =>
    journal.get<{ id: string }>(
      `SELECT json_extract(data, '$.id') AS id FROM events
       WHERE kind = 'model_id' AND json_extract(data, '$.model') = ? ORDER BY events.id DESC LIMIT 1`,
      model,
    )?.id
  return {
    get: model => known.get(model) ?? recorded(model),
    set(model, id) {
      if (known.get(model) === id) return
      if (recorded(model) !== id) logEvent(journal, 'model_id', { model, id }, clock.now())
      known.set(model, id)
    },
  }
}
