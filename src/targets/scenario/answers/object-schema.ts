/** A JSON Schema of an object with these fields, all required. */
export const objectSchema = (properties: {
  readonly [name: string]: { readonly type: string; readonly description?: string }
}) => ({
  type: 'object',
  properties: { ...properties },
  required: Object.keys(properties),
  additionalProperties: false,
})
