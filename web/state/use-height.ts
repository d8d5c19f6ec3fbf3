import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** How high an element is; 0 before it is there. */
export function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = (): void => setHeight(current.clientHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [element])
  return height
}
