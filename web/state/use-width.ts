import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** The width of an element, in steps: charts are not redrawn for every pixel. */
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
