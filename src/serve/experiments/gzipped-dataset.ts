import { gzipSync } from 'node:zlib'
import { packDataset } from '../../report/dataset/pack.ts'
import { liveDataset } from './live-dataset.ts'

/** Lightly: over a tunnel it saves much, on this machine it must cost nothing. */
export const gzippedDataset = (root: string, dirs: readonly string[]): Uint8Array =>
  new Uint8Array(gzipSync(packDataset(liveDataset(root, dirs)), { level: 1 }))
