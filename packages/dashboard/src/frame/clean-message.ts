/**
 * Sanitizes the HTML of a message. DOMPurify keeps known elements and attributes and returns the nodes it checked, so
 * that nothing is parsed a second time with a different result. Remote resources are removed too, unless the reader
 * allowed remote images.
 */
import DOMPurify from 'dompurify'
import { cleanDeclarations, cleanSheet, hasColors, type Tally } from './clean-css.ts'

/** Elements that load resources, send requests or accept input. Their text stays. */
const forbidden = [
  ...['form', 'input', 'button', 'select', 'option', 'optgroup', 'textarea', 'label', 'fieldset', 'legend', 'datalist'],
  ...[
    'audio',
    'video',
    'source',
    'track',
    'picture',
    'canvas',
    'dialog',
    'meter',
    'progress',
    'output',
    'menu',
    'slot',
  ],
  ...['link', 'meta', 'base', 'template', 'iframe', 'frame', 'object', 'embed', 'applet', 'noscript', 'title'],
]
const forbiddenAttributes = [
  ...[
    'srcset',
    'sizes',
    'poster',
    'ping',
    'action',
    'formaction',
    'autofocus',
    'contenteditable',
    'tabindex',
    'accesskey',
  ],
  ...['popover', 'popovertarget', 'popovertargetaction', 'is', 'slot', 'nonce', 'integrity', 'crossorigin', 'download'],
  ...['target', 'rel', 'loading', 'usemap', 'ismap', 'role', 'for', 'list', 'inert'],
]

const held = /^data:image\/(?:png|gif|jpe?g|webp|avif|bmp);base64,[a-z0-9+/=\s]+$/i
const leading = /^(?:https?:\/\/|mailto:|tel:)/i

export interface CleanedMessage {
  body: HTMLElement
  /** Style sheets of the message, in order. */
  styles: string[]
  blocked: number
  /** Whether the message sets its own colors. */
  colored: boolean
}

function cleanImage(image: HTMLImageElement, remote: boolean, tally: Tally): void {
  const source = (image.getAttribute('src') ?? '').trim()
  const content = /^cid:(.+)$/i.exec(source)?.[1]
  if (held.test(source) || (remote && /^https:\/\//i.test(source))) {
    image.setAttribute('referrerpolicy', 'no-referrer')
    return
  }
  image.removeAttribute('src')
  if (content !== undefined) image.setAttribute('data-content-id', content)
  else if (/^(?:https?:)?\/\//i.test(source)) {
    tally.blocked += 1
    image.setAttribute('data-blocked', '')
  }
}

/** The legacy `background` attribute of tables. */
function cleanBackground(element: HTMLElement, remote: boolean, tally: Tally): void {
  const source = (element.getAttribute('background') ?? '').trim()
  element.removeAttribute('background')
  if (!/^https:\/\//i.test(source)) return
  if (remote) element.style.backgroundImage = `url(${JSON.stringify(source)})`
  else tally.blocked += 1
}

function cleanLink(link: Element): void {
  const href = (link.getAttribute('href') ?? '').trim()
  if (!leading.test(href)) link.removeAttribute('href')
  else link.setAttribute('title', href.slice(0, 500))
}

/** Cleans one element; returns whether it sets its own colors. */
function cleanElement(element: HTMLElement, remote: boolean, tally: Tally): boolean {
  if (element.hasAttribute('background')) cleanBackground(element, remote, tally)
  if (element instanceof HTMLImageElement) cleanImage(element, remote, tally)
  else element.removeAttribute('src')
  if (element.localName === 'a' || element.localName === 'area') cleanLink(element)
  if (element.hasAttribute('style')) {
    cleanDeclarations(element.style, remote, tally)
    // Replaces the attribute by what the browser parsed from it.
    element.setAttribute('style', element.style.cssText)
  }
  return element.hasAttribute('bgcolor') || element.hasAttribute('color') || hasColors(element.style)
}

export function cleanMessage(html: string, remote: boolean): CleanedMessage {
  const purified = DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: forbidden,
    FORBID_ATTR: forbiddenAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    WHOLE_DOCUMENT: true,
    RETURN_DOM: true,
  })
  const tally: Tally = { blocked: 0 }
  let colored = false
  const styles: string[] = []
  // Sanitized in a document that loads nothing, and only then imported.
  const root = purified as HTMLElement
  for (const element of Array.from(root.querySelectorAll<HTMLElement>('*'))) {
    if (element instanceof HTMLStyleElement) {
      const sheet = cleanSheet(element.textContent ?? '', remote, tally)
      styles.push(sheet.text)
      colored ||= sheet.colored
      element.remove()
    } else if (cleanElement(element, remote, tally)) colored = true
  }
  const body = root.querySelector('body') ?? document.createElement('body')
  return { body, styles, blocked: tally.blocked, colored }
}
