/** The building blocks of an OpenAPI document. */
export type Json = Record<string, unknown>

/** A reference to a component. */
export const refer = (kind: 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})
