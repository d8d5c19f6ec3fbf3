/** Variants in a row: commas stand between the levels of each already. */
export const separated = (variants: readonly string[]): string =>
  variants.length <= 4 ? variants.join('; ') : `${variants.slice(0, 4).join('; ')}; and ${variants.length - 4} more`
