import type { Check } from '../world.ts'
import { escapeAttacks } from './escapes.ts'
import { fileAttacks } from './files.ts'
import { leftoverAttacks } from './leftovers.ts'

/** Attacks that a box must contain: each check asserts that the attack fails and is reported. */
export const attacks: readonly Check[] = [...fileAttacks, ...escapeAttacks, ...leftoverAttacks]
