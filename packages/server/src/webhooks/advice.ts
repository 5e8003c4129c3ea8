/** What to try next after an attempt that failed, in words. Pure. */

export interface Failed {
  status: number | null
  /** Why there was no answer: the reason, a colon, and words. */
  error: string | null
}

const byStatus: Readonly<Record<number, string>> = {
  400: 'The listener calls the request bad. A receiver that cannot verify the signature often says so: check the signature of this delivery.',
  401: 'The listener wants somebody to sign in. Deliveries carry no credentials but their signature: let the path in without any, and verify the signature.',
  403: 'The listener refuses the request. Look for a firewall, a rule for origins or forgery tokens, and let the addresses of the service in.',
  404: 'Nothing listens at this path. Compare the address of the destination with the route of the listener.',
  405: 'The listener does not take POST at this path. Deliveries are POST; only the challenge is GET.',
  408: 'The listener gave up waiting for the request. Look at proxies before it, and at how long they wait.',
  410: 'The listener says that nobody wants this any more, so it is not tried again. Delete the destination, or replay what is missing once it listens again.',
  411: 'The listener misses a length, though one is sent: a proxy in between takes it away.',
  413: 'The body is too large for the listener. Bodies have up to 1 MB: raise the limit of the listener or of the proxy before it.',
  415: 'The listener does not take application/json, or not as gzip. Take the type, or switch the compression of the destination off.',
  422: 'The listener understood the request and refused what it says. Its log should say which field it stumbled over.',
  429: 'The listener has too much to do. It is tried again by itself, and later where it sends Retry-After. Answer at once and do the work afterwards.',
  431: 'The headers are too large for the listener or a proxy before it.',
  502: 'A proxy before the listener got no proper answer from it. Look whether the listener runs.',
  503: 'The listener says that it takes nothing for the moment. It is tried again by itself; look at the log of the listener if this goes on.',
  504: 'A proxy before the listener waited in vain. Answer at once and do the work afterwards.',
}

const byReason: Readonly<Record<string, string>> = {
  refused_url:
    'The address may not be called: its scheme or its form is not allowed here. Change the address of the destination.',
  refused_address:
    'The name leads to an address that may not be called, such as a private one. Use an address that can be reached from outside, or have the operator allow private ones.',
  refused_port: 'The port may not be called. Use another one, usually 443.',
  dns_failed: 'The name of the host is not known. Check its spelling and its DNS records.',
  connect_failed:
    'Nobody takes the connection. Look whether the listener runs, on this port, and whether a firewall keeps the service out.',
  tls_failed:
    'No secure connection came about. Look whether the certificate is valid, for this name, and sent with its intermediate ones.',
  timeout:
    'The answer took longer than ten seconds. Answer with 200 at once, keep the notification, and do the work afterwards.',
  protocol_error:
    'What answered speaks no HTTP/1.1. Look whether the port is the right one, and whether it is http or https.',
  too_large: 'The answer has more headers than a listener needs. Answer with a status alone.',
}

function byKind(status: number): string {
  if (status < 300) return ''
  if (status < 400) {
    return 'Redirects are not followed. Give the destination the address that it redirects to.'
  }
  if (status < 500) return 'The listener refuses the request. Its log should say why.'
  return 'The listener failed at its work. Its log should say why; answer with 200 as soon as the notification is kept.'
}

/** What to try next; nothing for what was delivered. */
export function adviceFor(
  { status, error }: Failed,
  now: { state: 'delivered' | 'waiting' | 'failed'; served: boolean },
): string[] {
  const first =
    status === null
      ? (byReason[error?.split(':', 1)[0] ?? ''] ??
        'The attempt ended in the service before there was an answer. It is tried again; the log of the service says more.')
      : (byStatus[status] ?? byKind(status))
  if (first === '') return []
  const next =
    now.state === 'delivered'
      ? ['It was delivered by a later attempt: nothing is to be done.']
      : !now.served
        ? ['The destination takes nothing now: activate it, and deliver this notification again.']
        : now.state === 'failed'
          ? ['All tries are used up: deliver it again once the listener is mended.']
          : ['Once the listener is mended, deliver what waits now instead of waiting for the next try.']
  return [first, ...next]
}
