/** JSON Schema 2020-12 of arguments and results, from schemas of the contract. */
import { z } from 'zod'
import type { JsonSchema } from '../tool.ts'

/** Descriptions without ids: schemas are written out, because not every client follows references. */
const written = {
  get: (schema: z.core.$ZodType) => {
    const { id: _, ...meta } = z.globalRegistry.get(schema) ?? {}
    return meta
  },
  has: (schema: z.core.$ZodType) => z.globalRegistry.has(schema),
}

export function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  // `toJSONSchema` reads the registry only through `get` and `has`.
  const metadata = written as unknown as typeof z.globalRegistry
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline', metadata })
  return { ...rest, type: 'object' }
}
