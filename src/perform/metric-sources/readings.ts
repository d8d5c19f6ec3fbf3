import type { SourceReading } from '../../define/experiment.ts'

export const noReading: SourceReading = { readings: [], series: [] }

export const valueReading = (metric: string, value: number): SourceReading => ({
  readings: [{ metric, value }],
  series: [],
})

export const problemReading = (metric: string, problem: string): SourceReading => ({
  readings: [{ metric, problem }],
  series: [],
})
