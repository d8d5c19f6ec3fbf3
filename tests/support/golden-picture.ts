import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const { resolve } = createRequire(import.meta.url)
const font = (file: string): string => readFileSync(resolve(`@expo-google-fonts/arimo/${file}.ttf`)).toString('base64')

/** Text as wide on every machine, nothing that moves, and nothing that another day, machine or commit would change. */
const pinned = (): string => `
@font-face { font-family: Pinned; src: url(data:font/ttf;base64,${font('400Regular/Arimo_400Regular')}); font-weight: 100 500 }
@font-face { font-family: Pinned; src: url(data:font/ttf;base64,${font('700Bold/Arimo_700Bold')}); font-weight: 501 900 }
*, *::before, *::after { font-family: Pinned !important; text-rendering: geometricPrecision !important; animation: none !important; transition: none !important; caret-color: transparent !important; scrollbar-width: none !important }
#runs, #provenance, [data-figure=profile], dl.numbers > :last-child, .home-head .note { display: none !important }
`

export async function pin(page: Page): Promise<void> {
  await page.addStyleTag({ content: pinned() })
  await page.evaluate('document.fonts.load("16px Pinned").then(() => document.fonts.load("bold 16px Pinned"))')
}

/**
 * Compares the first `height` pixels of a page with the golden picture, both in grey and a quarter as large, so that how
 * a machine smooths the edges of letters is no difference. `GOLDEN=renew` rewrites it.
 *
 * Figures are computed beside the page and drawn when they are ready: on a busy machine a page may look the same twice
 * and still be on its way. So it has to look like the golden picture at last, and then stay so.
 */
export async function expectGolden(page: Page, file: string): Promise<void> {
  if (process.env.GOLDEN === 'renew') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytesOf(await settledPicture(page)))
    return
  }
  expect(existsSync(file), `${file} is missing: GOLDEN=renew npx vitest run tests/web/golden-pages.test.ts`).toBe(true)
  const golden = `data:image/png;base64,${readFileSync(file).toString('base64')}`
  const patience = performance.now() + 60_000
  let found = { picture: '', share: 1 }
  do {
    const picture = await settledPicture(page)
    found = { picture, share: await page.evaluate(`(${differingShare})("${picture}", "${golden}")`) }
  } while (found.share > mostDiffering && performance.now() < patience)
  if (found.share > mostDiffering) writeFileSync(file.replace(/\.png$/, '.now.png'), bytesOf(found.picture))
  expect(
    found.share,
    `${file}: the page looks different; .now.png beside it is what it looks like`,
  ).toBeLessThanOrEqual(mostDiffering)
}

/** The page, small, as it looks once two pictures of it in a row are the same. */
async function settledPicture(page: Page): Promise<string> {
  let before = ''
  let found = ''
  await expect
    .poll(
      async () => {
        before = found
        const isMade = (await page.locator('.later:visible').count()) === 0
        found = isMade ? (await page.screenshot({ animations: 'disabled' })).toString('base64') : ''
        return found !== '' && found === before
      },
      { interval: 100 },
    )
    .toBe(true)
  return await page.evaluate(`(${shrunk})("data:image/png;base64,${found}")`)
}

const bytesOf = (address: string): Buffer => Buffer.from(address.split(',')[1] ?? '', 'base64')

/** Of all pixels: letters that are smoothed in another way stay far below, a moved line of text is above. */
const mostDiffering = 0.004

const shrunk = `async source => {
  const image = new Image()
  image.src = source
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(image.width / 4)
  canvas.height = Math.round(image.height / 4)
  const context = canvas.getContext('2d')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height)
  for (let at = 0; at < pixels.data.length; at += 4) {
    const grey = Math.round((0.3 * pixels.data[at] + 0.59 * pixels.data[at + 1] + 0.11 * pixels.data[at + 2]) / 8) * 8
    pixels.data.fill(Math.min(255, grey), at, at + 3)
  }
  context.putImageData(pixels, 0, 0)
  return canvas.toDataURL('image/png')
}`

/** A pixel differs by more than an eighth of the range from black to white. */
const differingShare = `async (one, other) => {
  const read = async source => {
    const image = new Image()
    image.src = source
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, image.width, image.height)
  }
  const [a, b] = [await read(one), await read(other)]
  if (a.width !== b.width || a.height !== b.height) return 1
  let differing = 0
  for (let at = 0; at < a.data.length; at += 4) if (Math.abs(a.data[at] - b.data[at]) > 32) differing++
  return differing / (a.data.length / 4)
}`
