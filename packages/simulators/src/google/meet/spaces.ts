// Meeting spaces of the Meet API. https://developers.google.com/workspace/meet/api/reference/rest/v2/spaces
import { randomInt } from 'node:crypto'
import { isObject, type JsonObject } from '../../shared/http.ts'
import { invalidArgument } from '../errors.ts'
import type { ApiRoute } from '../http.ts'
import type { World } from '../world.ts'
import type { Space } from './space.ts'

const letters = (count: number): string =>
  Array.from({ length: count }, () => String.fromCharCode(97 + randomInt(26))).join('')

/** The fields of `SpaceConfig` that a client may set. */
const configFields = [
  'accessType',
  'entryPointAccess',
  'moderation',
  'moderationRestrictions',
  'attendanceReportGenerationType',
  'artifactConfig',
]

function configOf(value: unknown): JsonObject {
  if (value !== undefined && !isObject(value)) throw invalidArgument("Invalid value at 'space.config'")
  const unknown = Object.keys(value ?? {}).find((name) => !configFields.includes(name))
  if (unknown) {
    throw invalidArgument(
      `Invalid JSON payload received. Unknown name "${unknown}" at 'space.config': Cannot find field.`,
    )
  }
  return { accessType: 'TRUSTED', entryPointAccess: 'ALL', ...value }
}

function createSpace({ spaces }: World, body: JsonObject): Space {
  const meetingCode = `${letters(3)}-${letters(4)}-${letters(3)}`
  const space: Space = {
    name: `spaces/${letters(12)}`,
    meetingUri: `https://meet.google.com/${meetingCode}`,
    meetingCode,
    config: configOf(body.config),
  }
  spaces.push(space)
  return space
}

export const meetRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v2/spaces',
    scopes: ['meetings.space.created'],
    handle: (call) => ({ json: createSpace(call.world, call.json()) }),
  },
]
