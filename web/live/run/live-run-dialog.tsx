import { useContext } from 'preact/hooks'
import { usePage } from '../../app/context.ts'
import { runById } from '../../runs/run-index.ts'
import { DirsContext } from './dirs-context.ts'
import { RunPanel } from './run-panel.tsx'

/** A run of the report, with the server's further data about it. */
export function LiveRunDialog({ id }: { readonly id: string }) {
  const { dataset, go } = usePage()
  const dirs = useContext(DirsContext)
  const at = dataset.evidence.sources.findIndex(({ name }) => id.startsWith(`${name}/`))
  const source = dataset.evidence.sources[at]?.name ?? ''
  return (
    <RunPanel
      dir={dirs[Math.max(0, at)] ?? ''}
      name={id.slice(source.length + 1)}
      settled={runById(dataset, id)}
      onClose={() => go({ run: null })}
    />
  )
}
