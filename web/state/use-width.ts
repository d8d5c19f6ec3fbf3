import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** How wide an element is, in steps: charts are not drawn anew for every pixel. */
export function useWidth(element: RefObject<HTMLElement | null>, step = 16): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = (): void => setWidth(Math.floor(current.clientWidth / step) * step)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [element, step])
  return width
}
