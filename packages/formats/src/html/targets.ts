/** Where an element leads, and how a target is written so that nobody mistakes its host. */
import type { Attributes } from './html-text.ts'

const ATTRIBUTE: Readonly<Record<string, readonly [label: string, attribute: string]>> = {
  area: ['area leads to', 'href'],
  form: ['form sends to', 'action'],
  button: ['button sends to', 'formaction'],
  input: ['button sends to', 'formaction'],
  base: ['links start at', 'href'],
  iframe: ['frame shows', 'src'],
  frame: ['frame shows', 'src'],
  embed: ['object shows', 'src'],
  object: ['object shows', 'data'],
  link: ['style sheet or file', 'href'],
}

/** The target of an element that is no ordinary link, with its kind; undefined without one. */
export function targetOf(name: string, attributes: Attributes): string | undefined {
  if (name === 'meta') {
    const isRefresh = attributes['http-equiv']?.trim().toLowerCase() === 'refresh'
    return isRefresh ? `[opens by itself: ${attributes.content?.trim() ?? ''}]` : undefined
  }
  const [label, attribute] = (Object.hasOwn(ATTRIBUTE, name) ? ATTRIBUTE[name] : undefined) ?? []
  const target = attribute === undefined ? undefined : attributes[attribute]?.trim()
  return target ? `[${label}: ${shownTarget(target)}]` : undefined
}

/** A target with the host that browsers open, where its letters could be mistaken for another one. */
export function shownTarget(target: string): string {
  const host = /^[\s]*(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(target)
    ? URL.parse(target, 'https://x.invalid')?.host
    : undefined
  const [, written] = /^\s*(?:[a-z][a-z\d+.-]*:)?\/\/([^/?#\\]*)/i.exec(target) ?? []
  if (!host || written?.toLowerCase() === host || isUsualPort(written, host)) return target
  return `${target} [opens ${host}]`
}

/** Browsers omit the usual port. */
const isUsualPort = (written: string | undefined, host: string): boolean =>
  written !== undefined && written.toLowerCase().replace(/:(?:443|80)$/, '') === host
