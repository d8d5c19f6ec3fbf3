import type { Template } from '../template.ts'
import { matrixJsonTemplate } from './matrix-json/matrix-template.ts'

/** What `init` can start from in other dialects than the native one; apart from them, because every `--help` reads it. */
export const dialectTemplates = [matrixJsonTemplate] as const satisfies readonly Template[]
