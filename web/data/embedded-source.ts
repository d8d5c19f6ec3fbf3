import { unpackDataset } from '../../src/report/dataset/unpack.ts'
import type { FirstFindings, Source } from './source.ts'

/** Everything is in the page: nothing is fetched. */
export const embeddedSource = (page: Document, script: string): Source => ({
  async load() {
    const [bytes, first] = await Promise.all([inflated(page, 'dataset'), inflated(page, 'findings')])
    return {
      bytes,
      dataset: unpackDataset(bytes),
      script,
      first: JSON.parse(new TextDecoder().decode(first)) as FirstFindings | null,
      runsFolder: page.getElementById('dataset')?.dataset.runs ?? null,
      wholeRun: null,
      moreTurns: null,
      moreStory: null,
    }
  },
})

async function inflated(page: Document, id: string): Promise<Uint8Array> {
  const text = page.getElementById(id)?.textContent
  if (text === null || text === undefined) throw new Error(`the page has no ${id}`)
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A loop, since a function call for each of a million characters is slow. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
