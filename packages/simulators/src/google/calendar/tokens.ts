// Page and sync tokens: opaque to clients, decoded here.

import { isObject, type JsonObject } from '../../shared/http.ts'
import { GoogleError } from '../errors.ts'

export function encodeToken(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decodeToken(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function readPageToken(text: string, scope: string): JsonObject {
  const token = decodeToken(text)
  if (token?.page !== scope) throw new GoogleError(400, 'invalid', 'Invalid page token value.')
  return token
}

export function fullSyncRequired(): GoogleError {
  return new GoogleError(410, 'fullSyncRequired', 'Sync token is no longer valid, a full sync is required.', {
    location: 'syncToken',
    locationType: 'parameter',
  })
}

/** Reads a sync token of one resource that is not older than `validFrom`. */
export function readSyncToken(text: string, scope: string, validFrom: number): JsonObject {
  const token = decodeToken(text)
  if (token?.sync !== scope || typeof token.version !== 'number' || token.version < validFrom) throw fullSyncRequired()
  return token
}
