import { useEffect, useState } from 'preact/hooks'

export type Theme = 'auto' | 'light' | 'dark'

const order: readonly Theme[] = ['auto', 'light', 'dark']

/** Light or dark as the reader's system, unless they choose; remembered if the browser allows it. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(remembered)
  useEffect(() => {
    document.documentElement.dataset.theme = theme
    try {
      localStorage.setItem('assay-theme', theme)
    } catch {
      // A page opened from disk may not be allowed to store anything.
    }
  }, [theme])
  return [theme, () => setTheme(order[(order.indexOf(theme) + 1) % order.length] ?? 'auto')]
}

function remembered(): Theme {
  try {
    const found = localStorage.getItem('assay-theme')
    return order.find(theme => theme === found) ?? 'auto'
  } catch {
    return 'auto'
  }
}
