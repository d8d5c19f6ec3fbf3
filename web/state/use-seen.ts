import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Whether an element is, or was, nearly in view; when printing, every element is. */
export function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const { current } = element
    if (current === null || isSeen) return
    const see = (): void => setSeen(true)
    let timer: ReturnType<typeof setTimeout> | undefined
    // One at a time: rendering several sections of a hundred thousand runs at once would freeze the page.
    const soon = (entries: readonly IntersectionObserverEntry[]): void => {
      if (entries.some(entry => entry.isIntersecting)) timer = setTimeout(see)
    }
    const observer = new IntersectionObserver(soon, { rootMargin: '600px 0px' })
    observer.observe(current)
    addEventListener('beforeprint', see)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      removeEventListener('beforeprint', see)
    }
  }, [element, isSeen])
  return isSeen
}
