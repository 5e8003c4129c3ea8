/**
 * The HTML of a message, made harmless: DOMPurify keeps known elements and attributes, and hands over the very nodes that
 * it looked at, so that nothing is parsed a second time and means something else then. What would ask other servers for
 * anything goes too, unless images of theirs are wanted.
 */
import DOMPurify from 'dompurify'
import { cleanDeclarations, cleanSheet, hasColours, type Tally } from './clean-css.ts'

/** Elements that load, ask for something or take something in. What stands in them stays as text. */
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
  /** Rules of its own, in order. */
  styles: string[]
  blocked: number
  /** Whether it has colours of its own. */
  coloured: boolean
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

/** Pictures behind tables, from times before styles. */
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

/** Cleans one element; whether it chooses colours of its own. */
function cleanElement(element: HTMLElement, remote: boolean, tally: Tally): boolean {
  if (element.hasAttribute('background')) cleanBackground(element, remote, tally)
  if (element instanceof HTMLImageElement) cleanImage(element, remote, tally)
  else element.removeAttribute('src')
  if (element.localName === 'a' || element.localName === 'area') cleanLink(element)
  if (element.hasAttribute('style')) {
    cleanDeclarations(element.style, remote, tally)
    // As it was understood, and nothing beside that.
    element.setAttribute('style', element.style.cssText)
  }
  return element.hasAttribute('bgcolor') || element.hasAttribute('color') || hasColours(element.style)
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
  let coloured = false
  const styles: string[] = []
  // Cleaned where nothing is loaded, and only then carried over.
  const root = purified as HTMLElement
  for (const element of Array.from(root.querySelectorAll<HTMLElement>('*'))) {
    if (element instanceof HTMLStyleElement) {
      const sheet = cleanSheet(element.textContent ?? '', remote, tally)
      styles.push(sheet.text)
      coloured ||= sheet.coloured
      element.remove()
    } else if (cleanElement(element, remote, tally)) coloured = true
  }
  const body = root.querySelector('body') ?? document.createElement('body')
  return { body, styles, blocked: tally.blocked, coloured }
}
