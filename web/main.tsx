import { render } from 'preact'
import { answerInWorker } from './analysis/answer-in-worker.ts'
import { App } from './app/app.tsx'
import { embeddedSource } from './data/embedded-source.ts'

// The same script is the page and, started again without one, the worker that computes for it.
if (typeof document === 'undefined') answerInWorker()
else start(document)

function start(page: Document): void {
  const place = page.getElementById('app')
  // Read now: afterwards it is unknown which script this was.
  const script = page.currentScript?.textContent ?? ''
  if (place === null) return
  embeddedSource(page, script)
    .load()
    .then(loaded => {
      place.replaceChildren()
      render(<App loaded={loaded} />, place)
    })
    .catch((error: unknown) => {
      const message = page.createElement('p')
      message.setAttribute('role', 'alert')
      message.textContent = `This report can't be shown: ${error instanceof Error ? error.message : String(error)}`
      place.append(message)
    })
}
