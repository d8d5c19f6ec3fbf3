/** Files that `init` writes: a small experiment that runs unchanged, and is meant to be edited. */
export interface Template {
  readonly name: string
  /** The description by which a person chooses it. */
  readonly summary: string
  /** The file that `run` is given. */
  readonly config: string
  readonly files: readonly TemplateFile[]
}

export interface TemplateFile {
  readonly path: string
  /** `@schema@` is replaced by the path of the JSON Schema, seen from the experiment's folder. */
  readonly text: string
  readonly isExecutable?: boolean
}
