// Resolves names and converts ids.
import type { ExchangePart } from '../part.ts'
import { convertId } from './convert-id.ts'
import { resolveNames } from './resolve-names.ts'

export const directoryPart: ExchangePart = {
  operations: { ResolveNames: resolveNames, ConvertId: convertId },
  since: { ConvertId: 'Exchange2007_SP1' },
}
