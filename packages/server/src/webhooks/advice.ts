/** What to do after a failed delivery attempt. Pure. */

export interface Failed {
  status: number | null
  /** Why there was no response: the reason, a colon, and a description. */
  error: string | null
}

const byStatus: Readonly<Record<number, string>> = {
  400: 'The receiver rejected the request as bad. This often means that it could not verify the signature. Check the signature of this delivery.',
  401: 'The receiver requires sign-in. Deliveries carry only a signature. Allow this path without credentials and verify the signature.',
  403: 'The receiver refused the request. Check firewalls and CSRF rules, and allow the addresses of this service.',
  404: 'Nothing listens at this path. Compare the destination address with the route of your receiver.',
  405: 'The receiver does not accept POST at this path. Deliveries use POST; only the challenge uses GET.',
  408: 'The receiver timed out waiting for the request. Check proxies in front of it and their timeouts.',
  410: 'The receiver reported 410 Gone, so the service does not retry. Delete the destination, or replay missing notifications once it listens again.',
  411: 'The receiver requires a Content-Length. The service sends one, so a proxy removes it.',
  413: 'The body is too large for the receiver. Bodies have up to 1 MB. Raise the limit of the receiver or of the proxy in front of it.',
  415: 'The receiver does not accept application/json, or not with gzip. Accept this type, or turn off compression for the destination.',
  422: 'The receiver understood the request but rejected its content. Its log should name the field.',
  429: 'The receiver is overloaded. The service retries automatically and respects Retry-After. Respond immediately and process notifications later.',
  431: 'The headers are too large for the receiver or a proxy in front of it.',
  502: 'A proxy got no valid response from the receiver. Check that the receiver is running.',
  503: 'The receiver is temporarily unavailable. The service retries automatically. If this continues, check the log of the receiver.',
  504: 'A proxy timed out waiting for the receiver. Respond immediately and process notifications later.',
}

const byReason: Readonly<Record<string, string>> = {
  refused_url: 'This address is not allowed. Change the address of the destination.',
  refused_address:
    'The host resolves to an address that is not allowed, such as a private one. Use a public address, or ask the operator to allow private addresses.',
  refused_port: 'This port is not allowed. Use another one, usually 443.',
  dns_failed: 'The host name could not be resolved. Check its spelling and its DNS records.',
  connect_failed:
    'The connection was refused. Check that the receiver is running on this port and that no firewall blocks the service.',
  tls_failed:
    'The TLS connection failed. Check that the certificate is valid for this host and that the server sends its intermediate certificates.',
  timeout:
    'The response took longer than ten seconds. Respond with 200 immediately, store the notification, and process it later.',
  protocol_error: 'The response is not HTTP/1.1. Check the port, and whether to use http or https.',
  too_large: 'The response headers are too large. Respond with a status only.',
}

const byStatusOfBroker: Readonly<Record<number, string>> = {
  401: 'The broker refused the credentials. Replace them in the channel, or ask the operator if the channel has none.',
  403: 'The broker does not allow these credentials to publish here. Grant them that right.',
  404: 'The broker does not know this topic, stream or exchange, or routes messages for it nowhere. Create it, or change the channel.',
  408: 'The broker did not confirm in time. Check its load.',
  413: 'The message is too large for the broker. Notifications have up to 1 MB. Raise its limit, or use compression.',
  429: 'The broker is overloaded or limits the rate. The service slows down and retries automatically.',
}

const byReasonOfBroker: Readonly<Record<string, string>> = {
  connect_failed:
    'The connection was refused. Check that the broker is running on this port and that no firewall blocks the service.',
  timeout: 'The broker did not confirm within ten seconds. Check its load.',
  protocol_error: 'The server at this address is not a broker of this kind. Check the port, and whether it needs TLS.',
  too_large: 'The answer of the broker is too large. Check the address.',
}

function byKindOfBroker(status: number): string {
  if (status < 300) return ''
  if (status < 500) return 'The broker refused this message. Its answer or its log should say why.'
  return 'The broker failed or is temporarily unavailable. Check its log.'
}

function byKind(status: number): string {
  if (status < 300) return ''
  if (status < 400) {
    return 'The service does not follow redirects. Use the target of the redirect as the destination address.'
  }
  if (status < 500) return 'The receiver rejected the request. Its log should say why.'
  return 'The receiver failed. Its log should say why. Respond with 200 as soon as the notification is stored.'
}

const endedHere =
  'The attempt ended in the service before there was a response. The service retries. Its log has details.'

function forReceiver({ status, error }: Failed): string {
  if (status === null) return byReason[error?.split(':', 1)[0] ?? ''] ?? endedHere
  return byStatus[status] ?? byKind(status)
}

function forBroker({ status, error }: Failed): string {
  if (status !== null) return byStatusOfBroker[status] ?? byKindOfBroker(status)
  const reason = error?.split(':', 1)[0] ?? ''
  return byReasonOfBroker[reason] ?? byReason[reason] ?? endedHere
}

/** The advice for an attempt. Empty for a delivered one. */
export function adviceFor(
  failed: Failed,
  now: { transport: string; state: 'delivered' | 'waiting' | 'failed'; served: boolean },
): string[] {
  const isWebhook = now.transport === 'webhook'
  const first = isWebhook ? forReceiver(failed) : forBroker(failed)
  if (first === '') return []
  const receiver = isWebhook ? 'receiver' : 'broker'
  const next =
    now.state === 'delivered'
      ? ['A later attempt delivered it. No action is needed.']
      : !now.served
        ? ['The destination is not active. Activate it, then deliver this notification again.']
        : now.state === 'failed'
          ? [`All retries are used up. Deliver it again once the ${receiver} works.`]
          : [`Once the ${receiver} works, use "Deliver waiting now" instead of waiting for the next retry.`]
  return [first, ...next]
}
