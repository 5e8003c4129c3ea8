// The REST API below `/v2`, as far as conferences of events need it. Errors are `{ code, message }`
// (https://developers.zoom.us/docs/api/errors/).
import {
  isObject,
  type JsonObject,
  jsonAnswer,
  type RawAnswer,
  type RawRequest,
  type WebRoute,
} from '../shared/http.ts'
import type { SimulatedZoomAccount } from './account.ts'
import { refusalAnswer } from './faults.ts'
import { problemsOf, type SimulatedMeeting } from './meetings.ts'
import type { Zoom } from './zoom.ts'

interface Called {
  readonly account: SimulatedZoomAccount
  readonly request: RawRequest
  readonly params: Readonly<Record<string, string>>
}

interface Endpoint {
  readonly method: WebRoute['method']
  readonly path: string
  /** Of which the token needs one: the granular scope, or the classic one. */
  readonly scopes: readonly string[]
  answer(called: Called): RawAnswer
}

export const apiRoutes = (zoom: Zoom): WebRoute[] => endpointsOf(zoom).map((endpoint) => routeOf(zoom, endpoint))

function routeOf({ grants, accounts }: Zoom, { method, path, scopes, answer }: Endpoint): WebRoute {
  return {
    method,
    path,
    handle(request, params) {
      const token = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
      const found = grants.findAccess(token)
      const account = found && accounts.find(found.consent.sub)
      if (!found || !account) return refusalAnswer({ status: 401, code: 124, message: 'Invalid access token.' })
      if (!scopes.some((scope) => found.scopes.has(scope))) {
        const message = `Invalid access token, does not contain scopes:[${scopes.join(', ')}].`
        return refusalAnswer({ status: 400, code: 4711, message })
      }
      return { ...answer({ account, request, params }), account: account.email }
    },
  }
}

function endpointsOf(zoom: Zoom): Endpoint[] {
  const change = (called: Called, scope: (meeting: SimulatedMeeting, fields: JsonObject) => void): RawAnswer => {
    const meeting = zoom.meetings.find(called.account, called.params.meeting ?? '')
    if (!meeting) return missing(called.params.meeting)
    return withBody(called.request, (fields) => {
      scope(meeting, fields)
      return noContent
    })
  }
  return [
    {
      method: 'GET',
      path: '/v2/users/me',
      scopes: ['user:read:user', 'user:read'],
      answer: ({ account }) => jsonAnswer(200, userOf(account)),
    },
    {
      method: 'POST',
      path: '/v2/users/me/meetings',
      scopes: ['meeting:write:meeting', 'meeting:write'],
      answer: ({ account, request }) =>
        withBody(request, (fields) => jsonAnswer(201, zoom.meetings.create(account, fields))),
    },
    {
      method: 'GET',
      path: '/v2/meetings/:meeting',
      scopes: ['meeting:read:meeting', 'meeting:read'],
      answer: ({ account, params }) => {
        const meeting = zoom.meetings.find(account, params.meeting ?? '')
        return meeting ? jsonAnswer(200, meeting) : missing(params.meeting)
      },
    },
    {
      method: 'PATCH',
      path: '/v2/meetings/:meeting',
      scopes: ['meeting:update:meeting', 'meeting:write'],
      answer: (called) => change(called, (meeting, fields) => zoom.meetings.change(meeting, fields)),
    },
    {
      method: 'DELETE',
      path: '/v2/meetings/:meeting',
      scopes: ['meeting:delete:meeting', 'meeting:write'],
      answer: (called) => change(called, (meeting) => zoom.meetings.remove(meeting)),
    },
  ]
}

const noContent: RawAnswer = { status: 204, headers: {}, body: new Uint8Array() }
const missing = (id = ''): RawAnswer =>
  refusalAnswer({ status: 404, code: 3001, message: `Meeting does not exist: ${id}.` })

function withBody({ body }: RawRequest, answer: (fields: JsonObject) => RawAnswer): RawAnswer {
  const fields = fieldsIn(body)
  if (!fields) return refusalAnswer({ status: 400, code: 300, message: 'Request Body should be a valid JSON object.' })
  const errors = problemsOf(fields)
  return errors.length > 0 ? jsonAnswer(400, { code: 300, message: 'Validation Failed.', errors }) : answer(fields)
}

function fieldsIn(body: Uint8Array): JsonObject | undefined {
  if (body.length === 0) return {}
  try {
    const fields: unknown = JSON.parse(new TextDecoder().decode(body))
    return isObject(fields) ? fields : undefined
  } catch {
    return undefined
  }
}

function userOf({ id, email, name }: SimulatedZoomAccount): JsonObject {
  const [first = name, ...rest] = name.split(' ')
  return {
    id,
    email,
    first_name: first,
    last_name: rest.join(' '),
    display_name: name,
    type: 1,
    role_name: 'Owner',
    timezone: 'UTC',
    verified: 1,
    status: 'active',
    account_id: 'simulatedAccountOfZoom',
  }
}
