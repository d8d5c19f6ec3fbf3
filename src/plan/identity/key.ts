import { sha256 } from '../../util/hash.ts'

/** A run's identity as canonical JSON, put together from parts that are already canonical. */
export function keyOf(parts: {
  readonly ablation: string | null
  readonly flags: readonly string[]
  readonly paramsJson: string
  readonly blockJson: string
  readonly replicate: number
}): string {
  const { ablation, flags, paramsJson, blockJson, replicate } = parts
  const text = `{"ablation":${JSON.stringify(ablation)},"block":${blockJson},"flags":${JSON.stringify(flags)},"params":${paramsJson},"replicate":${replicate}}`
  return sha256(text).slice(0, 32)
}
