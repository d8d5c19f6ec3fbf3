import type { Experiment } from '../define/experiment.ts'
import type { JsonObject } from '../util/json.ts'

/** Notes for the user before a rehearsal runs. */
export const rehearsalNotes = (_: unknown, { calls }: Experiment): readonly string[] => (calls?.rehearse ? [note] : [])

const note =
  'this is a rehearsal: every model is simulated, at its real price; the results only show what it would cost'

/** No rehearsed run is taken for a real one. */
export const rehearsalIdentity = ({ calls }: Experiment): JsonObject => (calls?.rehearse ? { rehearsal: true } : {})
