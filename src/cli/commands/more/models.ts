import type { Io } from '../../io.ts'
import { checkModels } from '../../models/check-models.ts'
import { listModels } from '../../models/list-models.ts'
import { serveSim } from '../../models/serve-sim.ts'
import type { Options } from '../../options.ts'

/** `assay models list|check|serve-sim` */
export async function modelsCommand([what, ...names]: readonly string[], options: Options, io: Io): Promise<number> {
  switch (what) {
    case 'check':
      return checkModels(names, options, io)
    case 'serve-sim':
      return serveSim(names, options, io)
    default:
      return listModels(names, options, io)
  }
}
