import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import type { OrReason } from '../../util/errors.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { packDataset } from '../dataset/pack.ts'
import { type Comparisons, comparisonsOf } from '../findings/comparisons.ts'
import { verdictOf } from '../findings/verdict.ts'
import type { View } from '../findings/view.ts'
import { badgesOf } from '../findings/wording/page-words.ts'

export interface HtmlPage {
  readonly html: string
  /** The answer in one sentence, as at the top of the page. */
  readonly headline: string
}

/**
 * The report as one file: app, style and data. It loads nothing and runs only its own script: everything that runs
 * printed or were named is text. The same dataset gives the same bytes.
 */
export function htmlPage(
  dataset: Dataset,
  view: View,
  { runsFolder }: { readonly runsFolder: string | null },
): HtmlPage {
  const comparisons = comparisonsOf(dataset, view)
  const { headline, others } = verdictOf(dataset, view, comparisons)
  const script = assetText('app.js')
  const style = assetText('style.css')
  const policy = [
    "default-src 'none'",
    `script-src '${sourceHash(script)}'`,
    `style-src '${sourceHash(style)}'`,
    'img-src data: blob:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const runs = runsFolder === null ? '' : ` data-runs="${escapedHtml(runsFolder)}"`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="assay ${escapedHtml(dataset.assay)}">
<title>${escapedHtml(dataset.title)}</title>
<style>${style}</style>
</head>
<body>
<div id="app">${stillPage(dataset, view, headline, others)}</div>
<script type="text/plain" id="findings">${packed(Buffer.from(JSON.stringify(firstFindings(view, comparisons))))}</script>
<script type="text/plain" id="dataset"${runs}>${packed(packDataset(dataset))}</script>
<script>${script}</script>
</body>
</html>
`
  return { html, headline }
}

const firstFindings = (view: View, comparisons: OrReason<Comparisons>) => ({ view, comparisons })

/** What is visible before the script runs, or without scripts. */
function stillPage(dataset: Dataset, view: View, headline: string, others: readonly string[]): string {
  const badges = badgesOf(dataset, view).map(({ text, tone }) => `<li class="badge ${tone}">${escapedHtml(text)}</li>`)
  const sentences = others.slice(0, 8).map(sentence => `<li>${escapedHtml(sentence)}</li>`)
  return `<div class="columns"><main><section><h1>${escapedHtml(dataset.title)}</h1><ul class="badges">${badges.join('')}</ul><p class="headline">${escapedHtml(headline)}</p>${sentences.length === 0 ? '' : `<ul class="sentences">${sentences.join('')}</ul>`}<noscript><p class="reason">Charts and tables need JavaScript, which is switched off here. Nothing is loaded from anywhere: the script is in this file.</p></noscript></section></main></div>`
}

const packed = (bytes: Uint8Array): string => deflateRawSync(bytes, { level: 9 }).toString('base64')

/** The form in which a content security policy allows a script or style. */
const sourceHash = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

const escapedHtml = (text: string): string => text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

/** Next to the bundle; when running from the sources, in the latest bundle. */
function assetText(name: string): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../../dist/web/' : './web/'
  return readFileSync(new URL(`${folder}${name}`, import.meta.url), 'utf8').trim()
}
