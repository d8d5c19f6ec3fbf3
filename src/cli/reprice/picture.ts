import type { ArmAnswer } from '../../analyze/reprice/reprice.ts'

/** Mean cost up to each turn, one line for each arm. The drawing code is large, and only loaded now. */
export async function drawReprice(arms: readonly ArmAnswer[], file: string): Promise<void> {
  const [{ drawChart }, { chartDocument, writePicture }] = await Promise.all([
    import('../../charts/draw-chart.ts'),
    import('../../report/pictures/write-picture.ts'),
  ])
  const data = {
    metric: 'cost so far',
    unit: 'USD',
    stepLabel: 'turns',
    curves: arms.map(({ arm, instances, curve }) => ({
      label: arm,
      n: instances,
      units: 'instances',
      points: curve.map(({ turn, mean_usd }) => ({ step: turn, mean: mean_usd })),
    })),
  }
  await writePicture(file, drawChart('learningCurves', data, { document: chartDocument() }))
}
