import { useEffect } from 'preact/hooks'

/** What the browser calls the page: in a row of tabs one sees how far it is. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}
