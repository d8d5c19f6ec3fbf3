import type { Check } from '../world.ts'
import { escapeAttacks } from './escapes.ts'
import { fileAttacks } from './files.ts'
import { leftoverAttacks } from './leftovers.ts'

/** What no program in a box may achieve: each check says that it is contained, and that somebody hears of it. */
export const attacks: readonly Check[] = [...fileAttacks, ...escapeAttacks, ...leftoverAttacks]
