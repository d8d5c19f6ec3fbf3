export type Fact = readonly [name: string, value: string | number]

/** Names with their values; a name may occur twice. */
export function Facts({ facts, outcome }: { readonly facts: readonly Fact[]; readonly outcome?: string }) {
  return (
    <dl class="facts" {...(outcome !== undefined && { 'data-outcome': outcome })}>
      {facts.map(([name, value], at) => (
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
