/** Files that `init` writes: a small experiment that runs as it is, and is meant to be changed. */
export interface Template {
  readonly name: string
  /** What a person chooses it by. */
  readonly summary: string
  /** The file that `run` is given. */
  readonly config: string
  readonly files: readonly TemplateFile[]
}

export interface TemplateFile {
  readonly path: string
  /** `@schema@` stands for the path of the JSON Schema, seen from the experiment's folder. */
  readonly text: string
  readonly isExecutable?: boolean
}
