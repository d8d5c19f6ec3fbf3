import type { Evidence } from '../../../src/define/observation.ts'
import { type Dataset, noFolder } from '../../../src/report/dataset/dataset.ts'

/** A dataset around evidence, with defaults. */
export function aDataset(evidence: Evidence, more: Partial<Dataset> = {}): Dataset {
  return {
    title: 'experiment',
    assay: '0.0.0',
    experiments: [],
    evidence,
    folders: evidence.runs.map(() => noFolder),
    kept: {
      ...{ series_points: null, printed: 0, with_output: 0, with_files: true },
      ...{
        traced: 0,
        with_trace: 0,
        tasks: 0,
        with_task: 0,
        trajectories: 0,
        with_trajectory: 0,
        stories: 0,
        with_story: 0,
      },
    },
    ...more,
  }
}
