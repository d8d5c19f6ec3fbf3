import { gzipSync } from 'node:zlib'
import { liveDataset } from './live-dataset.ts'

export interface DatasetAsked {
  readonly root: string
  readonly dirs: readonly string[]
}

/** What the thread says: the dataset, or why there is none. */
export type ThreadAnswer = { readonly gzipped: Uint8Array } | { readonly problem: string }

/** Lightly: over a tunnel it saves much, on this machine it must cost nothing. */
export const gzippedDataset = ({ root, dirs }: DatasetAsked): Uint8Array =>
  new Uint8Array(gzipSync(liveDataset(root, dirs), { level: 1 }))
