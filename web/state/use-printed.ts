import { useEffect, useState } from 'preact/hooks'

/** Whether the page is being printed or previewed for print. */
export function usePrinted(): boolean {
  const [isPrinted, setPrinted] = useState(false)
  useEffect(() => {
    const media = matchMedia('print')
    const listen = (): void => setPrinted(media.matches)
    const begin = (): void => setPrinted(true)
    listen()
    media.addEventListener('change', listen)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', listen)
    return () => {
      media.removeEventListener('change', listen)
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', listen)
    }
  }, [])
  return isPrinted
}
