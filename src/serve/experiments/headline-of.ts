import { liveHeadline } from '../../report/live.ts'
import type { Headline } from '../wire.ts'
import { accessUnder } from './live-access.ts'

/** What the experiment's page will say at its top. */
export const headlineOf = (root: string, dir: string): Headline => liveHeadline(dir, accessUnder(root))
