import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Whether an element is, or was, nearly in sight; everything is when the page is printed. */
export function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const { current } = element
    if (current === null || isSeen) return
    const see = (): void => setSeen(true)
    const observer = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && see(), {
      rootMargin: '600px 0px',
    })
    observer.observe(current)
    addEventListener('beforeprint', see)
    return () => {
      observer.disconnect()
      removeEventListener('beforeprint', see)
    }
  }, [element, isSeen])
  return isSeen
}
