import { useEffect } from 'preact/hooks'

/** The title of the page: among several tabs it shows the progress. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}
