import * as z from 'zod'
import { seconds, secondsFrom0, textThere } from '../setting-parts.ts'

const estimate = z.number().nullish()

/** `task.yaml` of terminal-bench 1. */
export const terminalBenchSchema = z.lazy(() =>
  z.strictObject({
    instruction: textThere,
    difficulty: z.enum(['easy', 'medium', 'hard', 'unknown']).default('unknown'),
    author_name: z.string().nullish(),
    author_email: z.string().nullish(),
    category: z.string().nullish(),
    tags: z.array(z.string()).nullish(),
    parser_name: z.enum(['pytest', 'swebench', 'swelancer', 'mlebench', 'sweperf']).default('pytest'),
    max_agent_timeout_sec: seconds.default(360),
    max_test_timeout_sec: seconds.default(60),
    run_tests_in_same_shell: z.boolean().default(false),
    disable_asciinema: z.boolean().default(false),
    estimated_duration_sec: estimate,
    expert_time_estimate_min: estimate,
    junior_time_estimate_min: estimate,
  }),
)

/** `solution.yaml`: what a person would type. */
export const keystrokesSchema = z.lazy(() =>
  z.array(
    z
      .strictObject({
        command: z.string(),
        min_timeout_sec: secondsFrom0.default(0),
        max_timeout_sec: seconds.default(180),
        block: z.boolean().default(false),
        append_enter: z.boolean().default(true),
      })
      .transform(written => ({
        command: written.command,
        minSec: written.min_timeout_sec,
        maxSec: written.max_timeout_sec,
        isBlocking: written.block,
        hasEnter: written.append_enter,
      })),
    { error: 'expected a list of { command, block, … }' },
  ),
)
