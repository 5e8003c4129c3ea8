/** The building blocks of an OpenAPI document. */
export type Json = Record<string, unknown>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A reference to a component. */
export const refer = (kind: 'schemas' | 'responses' | 'parameters' | 'examples' | 'headers', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
})
