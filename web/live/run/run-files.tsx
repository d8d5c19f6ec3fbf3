import type { RunDetails } from '../../../src/serve/wire.ts'
import { bytesText } from '../../runs/output-view.tsx'
import { fileAddress } from './file-address.ts'

interface RunFilesProps {
  readonly dir: string
  readonly details: RunDetails
  readonly chosen: string | null
  readonly onChoose: (path: string | null) => void
}

/** The files in the run's folder: to view, or to save. */
export function RunFiles({ dir, details: { name, files }, chosen, onChoose }: RunFilesProps) {
  if (files.length === 0) return null
  return (
    <>
      <h3>Files</h3>
      <table class="plain files">
        <tbody>
          {files.map(({ path, bytes }) => (
            <tr key={path}>
              <td>
                <button
                  type="button"
                  class="link"
                  aria-expanded={chosen === path}
                  onClick={() => onChoose(chosen === path ? null : path)}
                >
                  {path}
                </button>
              </td>
              <td class="number">{bytesText(bytes)}</td>
              <td>
                <a href={fileAddress(dir, name, path, { download: '' })} download aria-label={`Save ${path}`}>
                  Save
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
