import { gzipSync } from 'node:zlib'
import { packedLive } from '../../report/live.ts'
import { accessUnder } from './live-access.ts'

/** Lightly: over a tunnel it saves much, on this machine it must cost nothing. */
export const gzippedDataset = (root: string, dirs: readonly string[]): Uint8Array =>
  new Uint8Array(gzipSync(packedLive(dirs, accessUnder(root)), { level: 1 }))
