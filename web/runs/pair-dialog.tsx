import { usePage } from '../app/context.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { Pair } from '../state/location.ts'
import { RunPair } from './run-pair.tsx'
import { VariantPair } from './variant-pair.tsx'

/** Two runs, or two variants, side by side. */
export function PairDialog({ pair }: { readonly pair: Pair }) {
  const { go } = usePage()
  return (
    <Dialog title={pair.kind === 'runs' ? 'Two runs' : 'Two variants'} onClose={() => go({ pair: null })}>
      {pair.kind === 'runs' ? <RunPair a={pair.a} b={pair.b} /> : <VariantPair a={pair.a} b={pair.b} />}
    </Dialog>
  )
}
