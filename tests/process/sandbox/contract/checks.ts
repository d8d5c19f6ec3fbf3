import type { Check } from '../world.ts'
import { fileChecks } from './files.ts'
import { limitChecks } from './limits.ts'
import { programChecks } from './programs.ts'

/** The contract of every sandbox. */
export const contract: readonly Check[] = [...programChecks, ...fileChecks, ...limitChecks]
