/**
 * Environment variables of W&B's agent that mean the same here: how many first runs may fail, and whether failing runs
 * are no reason to stop at all. Apart from the dialect, because every `--help` reads them.
 */
export const agentVariables = {
  initialFailures: 'WANDB_AGENT_MAX_INITIAL_FAILURES',
  anyFailures: 'WANDB_AGENT_DISABLE_FLAPPING',
} as const
