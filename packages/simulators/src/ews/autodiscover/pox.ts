// Autodiscover with plain XML: `/autodiscover/autodiscover.xml`.
import type { RawAnswer } from '../../shared/http.ts'
import { readXml, textOf, within, XmlSyntaxError } from '../xml/read.ts'
import { element, writeXml, type Xml } from '../xml/write.ts'
import type { Place, Places } from './places.ts'

const response = 'http://schemas.microsoft.com/exchange/autodiscover/responseschema/2006'
const outlook = 'http://schemas.microsoft.com/exchange/autodiscover/outlook/responseschema/2006a'

export function answerPox(places: Places, body: Uint8Array, now: number): RawAnswer {
  const address = addressIn(new TextDecoder().decode(body))
  if (address === undefined) return xmlAnswer([errorXml(600, 'Invalid Request', now)])
  const place = places.find(address)
  if (place.kind === 'unknown') return xmlAnswer([errorXml(500, "The email address can't be found.", now)])
  return xmlAnswer([element('Response', { xmlns: outlook }, responseXml(place))])
}

function addressIn(source: string): string | undefined {
  try {
    return textOf(within(readXml(source), 'Request'), 'EMailAddress') || undefined
  } catch (error) {
    if (error instanceof XmlSyntaxError) return undefined
    throw error
  }
}

function responseXml(place: Exclude<Place, { kind: 'unknown' }>): Xml[] {
  if (place.kind === 'redirect') {
    const { redirect } = place
    const target =
      'address' in redirect
        ? [element('Action', 'redirectAddr'), element('RedirectAddr', redirect.address)]
        : [element('Action', 'redirectUrl'), element('RedirectUrl', redirect.url)]
    return [element('Account', target)]
  }
  const { account, external, internal } = place
  const host = (url: string) => new URL(url).host
  const protocol = (type: string, url: string) =>
    element('Protocol', [
      element('Type', type),
      element('Server', host(url)),
      element('ASUrl', url),
      element('EwsUrl', url),
      element('OOFUrl', url),
    ])
  return [
    element('User', [
      element('DisplayName', account.name),
      element('LegacyDN', `/o=Exchange/ou=Users/cn=Recipients/cn=${account.username}`),
      element('AutoDiscoverSMTPAddress', account.email),
      element('DeploymentId', account.id),
    ]),
    element('Account', [
      element('AccountType', 'email'),
      element('Action', 'settings'),
      protocol('EXCH', internal),
      protocol('EXPR', external),
      element('Protocol', [
        element('Type', 'WEB'),
        element('External', [element('OWAUrl', { AuthenticationMethod: 'Basic' }, `https://${host(external)}/owa/`)]),
      ]),
    ]),
  ]
}

function errorXml(code: number, message: string, now: number): Xml {
  const time = new Date(now).toISOString().slice(11, 23)
  const content = [element('ErrorCode', code), element('Message', message), element('DebugData')]
  return element('Response', [element('Error', { Time: time, Id: '2477272013' }, content)])
}

function xmlAnswer(content: readonly Xml[]): RawAnswer {
  const text = `<?xml version="1.0" encoding="utf-8"?>${writeXml(element('Autodiscover', { xmlns: response }, content))}`
  return { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: new TextEncoder().encode(text) }
}
