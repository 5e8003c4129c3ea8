/**
 * The body of a message, made harmless: only known elements and attributes are carried over, so that nothing in it asks
 * for anything over the network, looks like a part of the page or leads away. The frame that shows it has no rights at
 * all besides; this is so that nothing in it even tries.
 */
const kept = new Set(
  'a abbr b blockquote br caption center cite code col colgroup dd del div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q s samp small span strike strong sub sup table tbody td tfoot th thead tr tt u ul var'.split(
    ' ',
  ),
)
/** These go with all that they hold; other elements go alone. */
const dropped = new Set(
  'applet audio base button canvas embed frame frameset head iframe input link math meta noscript object script select style svg template textarea title video'.split(
    ' ',
  ),
)
const attributes = new Set(
  'align valign bgcolor color width height colspan rowspan cellpadding cellspacing border dir lang alt size face start'.split(
    ' ',
  ),
)
const heldImage = /^data:image\/(?:png|gif|jpeg|webp);base64,[a-z0-9+/=\s]+$/i

/**
 * Attributes that a browser looks at already while it parses. A space of no width behind the name makes another attribute
 * of it, which nothing knows; where it was in the text, nobody sees the difference.
 */
const effective = /\b(style|on[a-z]+)(?=\s*=)/gi

interface Policy {
  createHTML(text: string): string
}
interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy
}

const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes }
/** The one place where text becomes HTML: parsed without effect here, or shown in a frame without rights. */
const policy: Policy = trustedTypes?.createPolicy('letter', { createHTML: (text) => text }) ?? {
  createHTML: (text) => text,
}

function copyOf(source: Node, into: Document): Node | undefined {
  if (source.nodeType === Node.TEXT_NODE) return into.createTextNode(source.textContent ?? '')
  if (!(source instanceof Element)) return undefined
  const name = source.localName
  if (dropped.has(name)) return undefined
  if (name === 'img' && !heldImage.test(source.getAttribute('src') ?? '')) {
    const alt = source.getAttribute('alt')?.trim()
    return alt ? into.createTextNode(`[${alt}]`) : undefined
  }
  const copy = kept.has(name) ? into.createElement(name) : into.createDocumentFragment()
  if (copy instanceof Element) {
    for (const { name: attribute, value } of Array.from(source.attributes)) {
      if (attributes.has(attribute)) copy.setAttribute(attribute, value)
    }
    if (name === 'img') copy.setAttribute('src', source.getAttribute('src') ?? '')
    // Links do not work in the frame; where they lead is shown on hover.
    if (name === 'a') copy.setAttribute('title', source.getAttribute('href') ?? '')
  }
  for (const child of Array.from(source.childNodes)) {
    const made = copyOf(child, into)
    if (made) copy.appendChild(made)
  }
  return copy
}

/** A whole document for the `srcdoc` of a frame. Its looks are attributes: styles are refused in it as in the page. */
export function letterDocument(body: string): string {
  const clean = document.implementation.createHTMLDocument()
  clean.body.setAttribute('bgcolor', '#ffffff')
  clean.body.setAttribute('text', '#1a2130')
  const letter = clean.createElement('font')
  letter.setAttribute('face', 'system-ui, sans-serif')
  clean.body.append(letter)
  if (/<[a-z!/]/i.test(body)) {
    const parsed = document.createElement('template')
    parsed.innerHTML = policy.createHTML(body.replace(effective, '$1\u200b'))
    for (const child of Array.from(parsed.content.childNodes)) {
      const copy = copyOf(child, clean)
      if (copy) letter.append(copy)
    }
  } else {
    const text = clean.createElement('pre')
    text.setAttribute('wrap', '')
    text.textContent = body
    letter.append(text)
  }
  return policy.createHTML(`<!doctype html>${clean.documentElement.outerHTML}`)
}
