// The handshake: a URL must return the token it receives before anything is sent to it.
// https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation
import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { GraphError } from '../errors.ts'

const timeoutMs = 10_000

export async function validateUrl(text: string): Promise<void> {
  // Contains a space and a colon, so that an undecoded token does not match.
  const token = `Validation: Testing client application reachability for subscription Request-Id: ${randomUUID()}`
  const url = new URL(text)
  url.searchParams.set('validationToken', token)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: '',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => undefined)
  if (response === undefined) {
    throw failed(
      'Subscription validation request failed. The request to the notification URL could not be made or timed out.',
    )
  }
  const answered = await response.text()
  if (response.status !== 200) {
    const name = (STATUS_CODES[response.status] ?? String(response.status)).replaceAll(' ', '')
    throw failed(
      `Subscription validation request failed. Notification endpoint must respond with 200 OK to validation request. HTTP status code is '${name}'.`,
    )
  }
  const isText = /^text\/plain\b/i.test(response.headers.get('content-type') ?? '')
  if (!isText || answered !== token) {
    throw failed('Subscription validation request failed. Response must exactly match validationToken query parameter.')
  }
}

function failed(message: string): GraphError {
  return new GraphError(400, 'ValidationError', message)
}
