// HTML templates: inserted values are escaped as text unless they are `Html`.

/** Text that is already HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** Values that a template accepts; undefined, null and booleans render as nothing. */
export type HtmlValue = Html | string | number | boolean | null | undefined | readonly HtmlValue[]

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function textOf(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) ? value.map(textOf).join('') : ''
}

export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  new Html(strings.reduce((text, next, place) => `${text}${textOf(values[place - 1])}${next}`))
