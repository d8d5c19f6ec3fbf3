// Makes docs/images/terminal.svg: runs the quickstart in a real terminal (tmux), keeps the screen half-way and at the
// end, and draws both. Needs tmux; run it by hand when the views change: node scripts/terminal-picture.mjs
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const columns = 84
const rows = 30
const commandLine = 'assay run examples/quickstart/experiment.yaml'

const colors = { background: '#16181d', rule: '#3a3f4b', text: '#d5d9e0', dim: '#8b93a1' }
const palette = ['#5c6370', '#ff7b72', '#7ee787', '#e3b341', '#79c0ff', '#d2a8ff', '#76e3ea', '#d5d9e0']

const { live, end } = await capture()
mkdirSync(join(root, 'docs/images'), { recursive: true })
writeFileSync(join(root, 'docs/images/terminal.svg'), picture([live, end]))

/** The screen during the runs, and after the last one. */
async function capture() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'assay-picture-')))
  const socket = join(folder, 'tmux')
  const tmux = (...args) => execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' })
  try {
    cpSync(join(root, 'examples/quickstart'), join(folder, 'examples/quickstart'), {
      recursive: true,
      filter: path => !path.endsWith('results'),
    })
    writeFileSync(join(folder, 'assay'), `#!/bin/sh\nexec '${process.execPath}' '${root}bin/assay.mjs' "$@"\n`)
    chmodSync(join(folder, 'assay'), 0o755)
    const shell = `PS1='$ ' PATH='${folder}':"$PATH" exec sh`
    tmux('-f', '/dev/null', 'new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, '-c', folder, shell)
    tmux('send-keys', commandLine, 'Enter')
    // The path is private, and too long for the picture.
    const screen = () => tmux('capture-pane', '-e', '-p').replaceAll(folder, '~/assay')
    const live = await until(screen, text => /[4-9]\d%/.test(text) && text.includes('▸'))
    const end = await until(screen, text => text.includes('everything is in'))
    return { live, end }
  } finally {
    tmux('kill-server')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function until(look, isThere) {
  for (let tries = 0; tries < 600; tries++) {
    const text = look()
    if (isThere(text)) return text
    await wait(50)
  }
  throw new Error(`never seen in the terminal; the last screen was:\n${look()}`)
}

function picture(screens) {
  const cell = { width: 8.4, height: 19 }
  const margin = 20
  const gap = 34
  const blocks = screens.map(text => withoutEmptyEnd(text.split('\n')))
  let top = margin + 24
  const parts = blocks.map((lines, index) => {
    const drawn = lines.map((line, row) => drawLine(line, margin, top + (row + 0.75) * cell.height, cell.width))
    const rule =
      index === 0
        ? ''
        : `<line x1="0" x2="100%" y1="${top - gap / 2}" y2="${top - gap / 2}" stroke="${colors.rule}"/>\n`
    top += lines.length * cell.height + gap
    return `${rule}${drawn.join('')}`
  })
  const width = Math.round(columns * cell.width + 2 * margin)
  const height = Math.round(top - gap + margin)
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, i) => `<circle cx="${20 + 18 * i}" cy="18" r="5.5" fill="${fill}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="assay run: the live view half-way, and the result table at the end" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
<rect width="100%" height="100%" rx="8" fill="${colors.background}"/>
${dots.join('')}
${parts.join('')}</svg>
`
}

/** Each piece of one style is placed by its column, so that the picture is aligned in every font. */
function drawLine(line, left, y, cellWidth) {
  let column = 0
  let style = { bold: false, dim: false, color: null }
  let drawn = ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is read here
  for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (text === undefined) style = codes.split(';').reduce(styled, style)
    else {
      const length = [...text].length
      if (text.trim() !== '') drawn += piece(text, style, left + column * cellWidth, y, length * cellWidth)
      column += length
    }
  }
  return drawn
}

function styled(style, code) {
  const number = Number(code)
  if (number === 0) return { bold: false, dim: false, color: null }
  if (number === 1) return { ...style, bold: true }
  if (number === 2) return { ...style, dim: true }
  if (number === 22) return { ...style, bold: false, dim: false }
  if (number === 39) return { ...style, color: null }
  const color = palette[number >= 90 ? number - 90 : number - 30]
  return color === undefined ? style : { ...style, color }
}

function piece(text, { bold, dim, color }, x, y, width) {
  const fill = color ?? (dim ? colors.dim : colors.text)
  const escaped = text.replace(/[&<>]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign])
  const weight = bold ? ' font-weight="bold"' : ''
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" textLength="${width.toFixed(1)}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="${fill}"${weight}>${escaped}</text>\n`
}

function withoutEmptyEnd(lines) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line of escape sequences alone is empty too
  const last = lines.findLastIndex(line => line.replace(/\u001b\[[\d;]*m/g, '').trim() !== '')
  return lines.slice(0, last + 1)
}
