import type { ModelIds, Point } from '../../define/target.ts'
import type { ToCoordinator } from './messages.ts'

/** Points of a run are sent together. */
const pointsMs = 200

/** A map of this process that also sends new entries to the coordinator. */
export function reportingModels(map: Map<string, string>, tell: (model: string, id: string) => void): ModelIds {
  return {
    get: model => map.get(model),
    set(model, id) {
      if (map.get(model) === id) return
      map.set(model, id)
      tell(model, id)
    },
  }
}

/** Sends a run's reports to the coordinator a few times a second. */
export function pointSender(token: string, send: (message: ToCoordinator) => void) {
  let points: Point[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (let at = 0; at < points.length; at += 100) send({ t: 'points', token, points: points.slice(at, at + 100) })
    points = []
  }
  return {
    add(point: Point): void {
      points.push(point)
      timer ??= setTimeout(flush, pointsMs)
    },
    flush,
  }
}
