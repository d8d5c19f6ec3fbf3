import type { Browser, Page } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { startBrowser } from '../../bench/browser.ts'

export interface Watched {
  readonly page: Page
  /** Errors, and whatever the console was told. */
  readonly complaints: readonly string[]
  /** Addresses that were asked, other than the file itself. */
  readonly asked: readonly string[]
}

export interface PageOptions {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
}

/** Scrolls a section into view, without waiting for frames in which nothing moves: a busy machine has none for long. */
export const scrollTo = (page: Page, id: string): Promise<void> =>
  page.locator(`#${id}`).evaluate((section: { scrollIntoView(): void }) => section.scrollIntoView())

/** Opens pages in one browser for all tests of a file; it is gone when they are over, and each page when its test is. */
export function pagesOfOneBrowser(): (address: string, options?: PageOptions) => Promise<Watched> {
  let browser: Promise<Browser> | undefined
  afterAll(async () => (await browser)?.close())
  return async (address, { width = 1280, scheme = 'light' } = {}) => {
    browser ??= startBrowser()
    const context = await (await browser).newContext({ viewport: { width, height: 900 }, colorScheme: scheme })
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
