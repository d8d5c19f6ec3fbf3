/** How an environment is made: a Dockerfile's steps, or an image alone. */
export interface Recipe {
  /** FROM, or the image that a task names. null: none is required. */
  readonly image: string | null
  readonly steps: readonly Step[]
  /** The folder that COPY takes files from; null: there is none. */
  readonly context: string | null
  /** The Dockerfile itself, for engines that build images. */
  readonly dockerfile: string | null
  /** Instructions that have no meaning here, such as EXPOSE. */
  readonly notes: readonly string[]
}

export type Step = { readonly line: number; readonly text: string } & StepKind

type StepKind =
  | { readonly kind: 'run'; readonly argv: readonly string[]; readonly stdin?: string }
  | { readonly kind: 'copy'; readonly from: readonly string[]; readonly to: string; readonly mode: number | null }
  /** Text contained in the Dockerfile itself. */
  | { readonly kind: 'write'; readonly content: string; readonly to: string; readonly mode: number | null }
  | { readonly kind: 'env'; readonly name: string; readonly value: string }
  /** Known to RUN steps only, not to programs of the box. */
  | { readonly kind: 'arg'; readonly name: string; readonly value: string }
  | { readonly kind: 'workdir'; readonly path: string }
  | { readonly kind: 'user'; readonly name: string }
