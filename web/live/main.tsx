import { render } from 'preact'
import { answerInWorker } from '../analysis/answer-in-worker.ts'
import { ComparePage } from './pages/compare-page.tsx'
import { ExperimentPage } from './pages/experiment-page.tsx'
import { HomePage } from './pages/home-page.tsx'

// The same script is the page and, started again without one, the worker that computes for it.
if (typeof document === 'undefined') answerInWorker()
else start(document)

function start(page: Document): void {
  const place = page.getElementById('app')
  if (place === null) return
  const dirs = new URLSearchParams(location.search).getAll('dir')
  const [first = ''] = dirs
  place.replaceChildren()
  if (location.pathname === '/experiment') render(<ExperimentPage dir={first} />, place)
  else if (location.pathname === '/compare') render(<ComparePage dirs={dirs} />, place)
  else render(<HomePage />, place)
}
