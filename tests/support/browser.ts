import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import { startBrowser } from '../../bench/browser.ts'

export interface Watched {
  readonly page: Page
  /** Errors and console messages. */
  readonly complaints: readonly string[]
  /** Addresses that were asked, other than the file itself. */
  readonly asked: readonly string[]
}

export interface PageOptions {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  /** The page may be given styles, which its content security policy refuses. */
  readonly takesStyles?: boolean
}

/** The final text of an element: a page needs time after a click. */
export const textOf = (locator: Locator) => expect.poll(() => locator.textContent())

/** How wide the page is, once it is laid out. */
export const widthOf = (page: Page) => expect.poll(() => page.evaluate('document.documentElement.scrollWidth'))

/**
 * Scrolls a section of a report into view until it is rendered: sections rendered above it push it away again.
 * Without waiting for frames in which nothing moves, as a busy machine has none for long.
 */
export async function toSection(page: Page, id: string): Promise<void> {
  const later = page.locator(`#${id} .later`)
  await expect
    .poll(async () => {
      await page.locator(`#${id}`).evaluate((section: { scrollIntoView(): void }) => section.scrollIntoView())
      return later.count()
    })
    .toBe(0)
}

/** Opens pages in one browser for all tests of a file; it is gone when they are over, and each page when its test is. */
export function pagesOfOneBrowser(): (address: string, options?: PageOptions) => Promise<Watched> {
  let browser: Promise<Browser> | undefined
  afterAll(async () => (await browser)?.close())
  return async (address, { width = 1280, scheme = 'light', takesStyles = false } = {}) => {
    browser ??= startBrowser()
    const context = await (await browser).newContext({
      viewport: { width, height: 900 },
      colorScheme: scheme,
      bypassCSP: takesStyles,
    })
    // On a busy machine a frame may take seconds: the test's own limit is enough.
    context.setDefaultTimeout(200_000)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const complaints: string[] = []
    const asked: string[] = []
    page.on('console', message => complaints.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', error => complaints.push(`error: ${error.message}`))
    page.on('request', request => {
      if (!/^(blob:|data:)/.test(request.url()) && request.url().split('#')[0] !== address.split('#')[0])
        asked.push(request.url())
    })
    await page.goto(address)
    return { page, complaints, asked }
  }
}
