import { sha256 } from '../../util/hash.ts'

/** A run's identity as canonical JSON, put together from parts that are already canonical. */
export function keyOf(parts: {
  readonly ablation: string | null
  readonly flags: readonly string[]
  readonly paramsJson: string
  readonly blockJson: string
  readonly replicate: number
  /** What levels stand for; empty where their names say it all. */
  readonly contents: string
}): string {
  const { ablation, flags, paramsJson, blockJson, replicate, contents } = parts
  const name = ablation === null ? 'null' : JSON.stringify(ablation)
  const list = flags.length === 0 ? '[]' : JSON.stringify(flags)
  const text = `{"ablation":${name},"block":${blockJson},"flags":${list},"params":${paramsJson},"replicate":${replicate}${contents === '' ? '' : `,"contents":${contents}`}}`
  return sha256(text).slice(0, 32)
}
