/** Words of a command that stand for others, as in a W&B sweep file: `${args}` stands for all parameters. */
export const macroNames = [
  'env',
  'interpreter',
  'program',
  'args',
  'args_no_hyphens',
  'args_no_equals',
  'args_no_boolean_flags',
  'args_append_hydra',
  'args_override_hydra',
  'args_json',
  'args_json_file',
] as const

export type MacroName = (typeof macroNames)[number]
