/** The ids, classes and names by which mail clients mark quoted or forwarded content. */
import type { Attributes } from './html-text.ts'

/**
 * `quoted`: the element. `rest`: the element and everything after it. `introduction`: the line above quoted content.
 */
export type Mark = 'quoted' | 'rest' | 'introduction'

const table = (names: Readonly<Record<Mark, string>>): ReadonlyMap<string, Mark> =>
  new Map<string, Mark>([
    ...names.quoted.split(' ').map((name): [string, Mark] => [name, 'quoted']),
    ...names.rest.split(' ').map((name): [string, Mark] => [name, 'rest']),
    ...names.introduction.split(' ').map((name): [string, Mark] => [name, 'introduction']),
  ])

// Yahoo, Thunderbird, Proton, Tuta, Zoho, Outlook (mobile, Mac), Airmail, Front, Superhuman, Netease, Lark, Missive, AOL.
const CLASSES = table({
  quoted:
    'yahoo_quoted yahoo_quoted_begin moz-forward-container moz-email-headers-table protonmail_quote tutanota_quote zmail_extra zmail_extra_hr ms-outlook-mobile-reference-message clean_bq front-blockquote sh-quoted-content ntes-mailmaster-quote history-quote-wrapper lark-mail-quote missive_quote aolreplacedbody mailcontainer_quote outlookmessageheader',
  rest: 'x_outlookmessageheader',
  introduction: 'gmail_attr moz-cite-prefix airmail_on',
})

// Outlook on the web, Outlook for Mac, Hotmail, Zimbra, Roundcube, Zoho, Netease, Outlook mobile.
const IDS = table({
  quoted: 'olk_src_body_section blockquote_zmail isreplycontent mail-editor-reference-message-container yahoo_quoted',
  rest: 'divrplyfwdmsg appendonsend stopspelling zwchr',
  introduction: 'reply-intro',
})

// Spark, and GMX with its sisters.
const NAMES = table({ quoted: 'messagereplysection quote', rest: '_origmsg_', introduction: 'reply-intro' })

const MAX_LENGTH = 300

/** The mark of an element, if it has one. */
export function markOf(name: string, attributes: Attributes): Mark | undefined {
  const { id, type, name: ownName } = attributes
  if (name === 'blockquote' && isCitation(type, attributes)) return 'quoted'
  if (id !== undefined) {
    const found = IDS.get(withoutPrefix(id))
    if (found !== undefined) return found
  }
  if (ownName !== undefined && name === 'div') {
    const found = NAMES.get(ownName.toLowerCase())
    if (found !== undefined) return found
  }
  for (const each of classesOf(attributes)) {
    const found = CLASSES.get(each)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether an element has the rule that Outlook draws above the headers of a quoted message. */
export function drawsRule({ style }: Attributes): boolean {
  if (style === undefined) return false
  const text = style.slice(0, MAX_LENGTH).toLowerCase().replaceAll(/\s+/g, '')
  return text.includes('border-top:solid') && text.includes('padding:3')
}

function isCitation(type: string | undefined, attributes: Attributes): boolean {
  if (type?.toLowerCase() === 'cite' || attributes.cite !== undefined) return true
  return classesOf(attributes).some((each) => each === 'gmail_quote' || each === 'cite' || each === 'yahoo_quoted')
}

const classesOf = ({ class: names }: Attributes): string[] =>
  names === undefined ? [] : names.slice(0, MAX_LENGTH).split(/\s+/).map(withoutPrefix)

/** Outlook on the web adds the prefix `x_` to names in mail each time it displays the mail. */
const withoutPrefix = (name: string): string =>
  name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/^(?:x_)+/, '')
