/**
 * The error function by rational functions, about 1 part in 10¹⁶:
 * Cody 1969, Rational Chebyshev approximations for the error function, Mathematics of Computation 23:631.
 */

/** Up to here erf is computed directly, beyond it is 1 minus a tail. */
export const centralTo = 0.46875

/** erf(x) for |x| ≤ 0.46875. */
export function centralError(x: number): number {
  const y = x * x
  const above =
    (((0.18577770618460315 * y + 3.1611237438705655) * y + 113.86415415105016) * y + 377.485237685302) * y +
    3209.3775891384694
  const below = (((y + 23.601290952344122) * y + 244.02463793444417) * y + 1282.6165260773723) * y + 2844.236833439171
  return (x * above) / below
}

/** exp(x²) erfc(x) for x ≥ 0.46875. */
export function scaledTail(x: number): number {
  return x <= 4 ? nearTail(x) : farTail(x)
}

function nearTail(x: number): number {
  let above = 2.1531153547440383e-8 * x
  let below = x
  for (let at = 0; at < 7; at++) {
    above = (above + (nearAbove[at] ?? 0)) * x
    below = (below + (nearBelow[at] ?? 0)) * x
  }
  return (above + 1230.3393547979972) / (below + 1230.3393548037495)
}

const nearAbove = [
  0.5641884969886701, 8.883149794388377, 66.11919063714163, 298.6351381974001, 881.952221241769, 1712.0476126340707,
  2051.0783778260716,
]
const nearBelow = [
  15.744926110709835, 117.6939508913125, 537.1811018620099, 1621.3895745666903, 3290.7992357334597, 4362.619090143247,
  3439.3676741437216,
]

function farTail(x: number): number {
  const y = 1 / (x * x)
  const above =
    ((((0.016315387137302097 * y + 0.30532663496123236) * y + 0.36034489994980445) * y + 0.12578172611122926) * y +
      0.016083785148742275) *
      y +
    0.0006587491615298378
  const below =
    ((((y + 2.568520192289822) * y + 1.8729528499234673) * y + 0.5279051029514285) * y + 0.06051834131244132) * y +
    0.0023352049762686918
  return (0.5641895835477563 - (y * above) / below) / x
}
