import * as z from 'zod'
import { environment, pathBelow, textThere } from '../setting-parts.ts'

/** Neither may look like an option of git, or like a command. */
const gitUrl = textThere
  .transform(url => url.replace(/^git@([\w.-]+):/, 'https://$1/'))
  .refine(url => /^(?:https?|ssh|git|file):\/\/[^\s-]/.test(url), {
    error: 'expected the address of a repository: https://…, ssh://…, file://… or git@host:…',
  })
const gitName = z.string().regex(/^(?:[\w@][\w./@^~+-]*)?$/, { error: 'expected the name of a branch or a commit' })

export const repoSchema = z.lazy(() =>
  z
    .strictObject({
      git_url: gitUrl.optional(),
      path: pathBelow.optional(),
      branch: gitName.default('main'),
      start_commit_sha: gitName.nullish(),
      end_commit_sha: z.string().nullish(),
      subdir: z.string().nullish(),
      sparse_checkout: z.array(z.string()).nullish(),
    })
    .refine(({ git_url, path }) => (git_url === undefined) !== (path === undefined), {
      error: 'expected git_url, or path: a folder beside this file with the files of the repository',
    }),
)

export type RepoSettings = z.output<typeof repoSchema>

const rubric = z.lazy(() =>
  z
    .strictObject({
      id: textThere,
      criterion: textThere,
      weight: z
        .number({ error: 'expected a weight: 0 or more' })
        .min(0, { error: 'expected a weight: 0 or more' })
        .default(1),
      evaluation_criteria: z.array(z.string()).nullish(),
    })
    .transform(({ id, criterion, weight, evaluation_criteria }) => ({
      id,
      criterion,
      weight,
      evaluationCriteria: evaluation_criteria ?? [],
    })),
)

const testScript = z.lazy(() =>
  z
    .strictObject({
      path: pathBelow,
      rubric_id: textThere,
      content: z.string(),
      command: textThere.optional(),
    })
    .transform(({ path, rubric_id, content, command }) => ({
      path,
      content,
      rubricId: rubric_id,
      // No pytest reads a shell script.
      command: command ?? (path.endsWith('.sh') ? `sh ${quoted(path)}` : null),
    })),
)

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`

const evaluationParts = { rubrics: z.array(rubric).nullish(), test_scripts: z.array(testScript).nullish() }

export const evaluationSchema = z.lazy(() =>
  z.strictObject({
    ...evaluationParts,
    content_rubric: z.unknown().optional(),
    location_rubric: z.unknown().optional(),
    clarity_rubric: z.unknown().optional(),
  }),
)

export type EvaluationSettings = z.output<typeof evaluationSchema>

/** `tb_meta.json`. */
export const metaSchema = z.lazy(() =>
  z.strictObject({
    task_id: textThere.optional(),
    id: textThere.optional(),
    metadata: z.looseObject({ title: z.string().optional(), tags: z.array(z.string()).nullish() }).prefault({}),
    repo: repoSchema,
    lm: z.looseObject({ instructions: z.string().nullish() }).nullish(),
    lm_instructions: z.string().nullish(),
    evaluation: evaluationSchema.nullish(),
    sensitivity: z.unknown().optional(),
  }),
)

const texts = z.lazy(() => z.record(pathBelow, z.string()))

/** `overrides.json`: every key of the launcher's and of the other command's. */
export const overridesSchema = z.lazy(() =>
  z.strictObject({
    prompt: textThere.optional(),
    lm_instructions: textThere.optional(),
    overlay_files: texts.default({}),
    overlay_repo_files: texts.default({}),
    remove_repo_paths: z.array(pathBelow).default([]),
    evaluation: evaluationSchema.optional(),
    ...evaluationParts,
    repo: repoSchema.optional(),
    inject_files: z.array(z.strictObject({ path: pathBelow, content: z.string() })).default([]),
    openai: z
      .strictObject({
        base_url: textThere.optional(),
        api_key: z.string().optional(),
        model: textThere.optional(),
        provider: textThere.optional(),
      })
      .prefault({}),
    model_provider: textThere.optional(),
    environment_variables: environment.default({}),
  }),
)
