/**
 * Links to attachments, for clients that cannot send the credential with a download. A link is sealed. It opens one
 * attachment for ten minutes, and only as long as the credential that asked for it could read the attachment itself.
 */
import { ApiError } from '@waypost/platform/api-error'
import type { JsonValue } from '@waypost/platform/json/guard'
import { type CredentialName, callerOfCredential } from '../../agents/credential-caller.ts'
import { hasOperation } from '../../applications/key-rights.ts'
import { answerError } from '../http/answer.ts'
import type { HttpResponse } from '../http/http.ts'
import { headersOf, respondFile } from '../http/respond.ts'
import type { ApiServices } from '../pipeline/api-services.ts'
import { callRoute } from '../pipeline/internal-call.ts'
import type { Endpoint } from '../pipeline/page.ts'
import type { ArrivedRequest } from '../pipeline/request-context.ts'

const path = '/mcp/attachments/'
const binding = 'mcp attachment link'
const lifeMs = 600_000

export interface LinkedAttachment {
  by: CredentialName
  grantId: string
  messageId: string
  attachmentId: string
}

export interface AttachmentLink {
  url: string
  /** In milliseconds. */
  expiresAt: number
}

export function attachmentLink(
  { storage: { cursors, clock }, config: { baseUrl } }: Pick<ApiServices, 'config' | 'storage'>,
  { by, grantId, messageId, attachmentId }: LinkedAttachment,
): AttachmentLink {
  const expiresAt = clock.now() + lifeMs
  const token = cursors.seal([by.applicationId, by.type, by.id, grantId, messageId, attachmentId, expiresAt], binding)
  return { url: `${baseUrl}${path}${token}`, expiresAt }
}

/** The attachment of a link; undefined if it is none of ours, or expired. */
function linkedAttachment(opened: JsonValue | undefined, now: number): LinkedAttachment | undefined {
  if (!Array.isArray(opened)) return undefined
  const [applicationId, type, id, grantId, messageId, attachmentId, expiresAt] = opened
  if (typeof expiresAt !== 'number' || expiresAt <= now || (type !== 'api_key' && type !== 'agent')) return undefined
  const texts = [applicationId, id, grantId, messageId, attachmentId].map(String)
  const [application = '', credential = '', grant = '', message = '', attachment = ''] = texts
  return {
    by: { applicationId: application, type, id: credential },
    grantId: grant,
    messageId: message,
    attachmentId: attachment,
  }
}

export const attachmentLinks = (api: ApiServices): Endpoint => ({
  method: 'GET',
  path: `${path}:name`,
  respond: (arrived) => download(api, arrived),
})

async function download(api: ApiServices, { request, params }: ArrivedRequest): Promise<HttpResponse> {
  const linked = linkedAttachment(api.storage.cursors.open(params.name ?? '', binding), api.storage.clock.now())
  const caller =
    linked && (await callerOfCredential({ queries: api.storage.database, clock: api.storage.clock }, linked.by))
  const isOpen = caller?.mcpEnabled && (!caller.credential || hasOperation(caller.credential, 'mcp'))
  if (!linked || !caller || !isOpen) return refused()
  const answer = await callRoute(api, {
    id: 'attachments.download',
    caller,
    address: api.addressOf(request),
    signal: request.signal,
    params: { grant_id: linked.grantId, attachment_id: linked.attachmentId },
    query: { message_id: linked.messageId },
    origin: { tool: 'get_attachment' },
  })
  const { status, requestId, body, file } = answer
  const headers = { ...headersOf(requestId), ...answer.headers, 'referrer-policy': 'no-referrer' }
  if (!file) return { status, headers, body: JSON.stringify(body) }
  return respondFile(api.storage, request, file, {
    headers,
    line: { request_id: requestId, route: 'attachments.download' },
  })
}

function refused(): HttpResponse {
  const error = new ApiError('not_found', 'the link is unknown, revoked or expired: call get_attachment again')
  const { status, headers, body } = answerError(error, '')
  return { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers }, body }
}
