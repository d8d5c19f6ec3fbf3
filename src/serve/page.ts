import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { version } from '../util/version.ts'

/** The dashboard's own files: one script, one style, one page that is the same for every address. */
export interface LivePage {
  readonly script: string
  readonly style: string
  readonly html: string
}

export function livePage(): LivePage {
  const script = assetText('live.js')
  const style = assetText('live-style.css')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="assay ${version}">
<link rel="icon" href="data:,">
<title>assay</title>
<link rel="stylesheet" href="/live.css?${digest(style)}">
<script src="/live.js?${digest(script)}" defer></script>
</head>
<body>
<div id="app"><noscript><p>The dashboard needs JavaScript, which is switched off here. \`assay status\` tells the same in a terminal.</p></noscript></div>
</body>
</html>
`
  return { script, style, html }
}

/** In the address, so that a browser may keep the files until there are others. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Beside the bundle; from the sources, in the bundle that was made of them last. */
function assetText(name: string): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/web/' : './web/'
  return readFileSync(new URL(`${folder}${name}`, import.meta.url), 'utf8')
}
