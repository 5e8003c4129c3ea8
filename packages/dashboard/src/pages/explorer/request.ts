/** A request made from what stands in the form; its sending; and the same as a line of shell. */
import { baseUrl } from '../../api.ts'
import type { Field, Operation } from './operations.ts'

export interface Request {
  method: string
  url: string
  body: string | undefined
}
export interface Answer {
  status: number
  milliseconds: number
  requestId: string | null
  contentType: string
  text: string
  json: unknown
  file: { url: string; bytes: number } | undefined
}

/** Throws an error that names the field whose JSON cannot be read. */
function parsed(field: Field, text: string): unknown {
  if (field.kind === 'number') return Number(text)
  if (field.kind === 'boolean') return text === 'true'
  if (field.kind === 'list')
    return text
      .split(/[\n,]/)
      .map((item) => item.trim())
      .filter((item) => item !== '')
  if (field.kind !== 'json') return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${field.name} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** Fields that are empty are left out. */
export function requestOf(operation: Operation, values: Readonly<Record<string, string>>): Request {
  let path = operation.path
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const field of operation.fields) {
    const text = values[`${field.place}.${field.name}`] ?? ''
    if (field.place === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(text) || `{${field.name}}`)
    else if (text.trim() === '') continue
    else if (field.place === 'query') query.set(field.name, field.kind === 'list' ? String(parsed(field, text)) : text)
    else body[field.name] = parsed(field, text)
  }
  return {
    method: operation.method,
    url: `${baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`,
    body: operation.hasBody ? JSON.stringify(body) : undefined,
  }
}

/** Plain fetch and not the SDK, because the page shows exactly what came back. */
export async function sendRequest(application: string, { method, url, body }: Request): Promise<Answer> {
  const start = performance.now()
  const response = await fetch(url, {
    method,
    credentials: 'same-origin',
    redirect: 'manual',
    headers: {
      'x-waypost-application': application,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body,
  })
  const contentType = response.headers.get('content-type') ?? ''
  const isJson = contentType.includes('json')
  const blob = isJson ? undefined : await response.blob()
  const text = isJson ? await response.text() : ''
  return {
    status: response.status,
    milliseconds: Math.round(performance.now() - start),
    requestId: response.headers.get('x-request-id'),
    contentType,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
    // Saved, never opened: what a stranger wrote does not run on this page.
    file: blob && {
      url: URL.createObjectURL(new Blob([blob], { type: 'application/octet-stream' })),
      bytes: blob.size,
    },
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function curlOf({ method, url, body }: Request): string {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    '-H "Authorization: Bearer $WAYPOST_API_KEY"',
  ]
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${quoted(body)}`)
  return parts.join(' \\\n  ')
}
