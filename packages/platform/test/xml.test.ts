import { describe, expect, test } from 'vitest'
import {
  childOf,
  childrenOf,
  escapeXml,
  parseXml,
  parseXmlChildren,
  type XmlElement,
  XmlError,
} from '../src/xml/xml.ts'

const problem = (source: string | Uint8Array, limits?: Parameters<typeof parseXml>[1]): string => {
  try {
    parseXml(source, limits)
  } catch (error) {
    if (error instanceof XmlError) return error.message
    throw error
  }
  return ''
}

describe('XML is parsed', () => {
  test('with the namespaces of prefixes at their place of use', () => {
    const root = parseXml(
      '<?xml version="1.0"?><a:x xmlns:a="one" xmlns="two"><y/><a:y a:z="1" z="2"/><y xmlns="three"><a:y xmlns:a="four"/></y></a:x>',
    )
    expect(root).toMatchObject({ namespace: 'one', name: 'x' })
    expect(root.children.map(({ namespace }) => namespace)).toEqual(['two', 'one', 'three'])
    expect({ ...childOf(root, 'one', 'y')?.attributes }).toEqual({ 'a:z': '1', z: '2' })
    expect(childOf(root, 'three', 'y')?.children[0]).toMatchObject({ namespace: 'four', name: 'y' })
    expect(childrenOf(root, 'two', 'y')).toHaveLength(1)
  })

  test('with text decoded: the five entities, numeric ones, CDATA, and escaped line ends', () => {
    const { text } = parseXml(
      '<a>&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;&#13;\n<![CDATA[<b>&amp;]]>\r\n<!-- no --></a>',
    )
    expect(text).toBe('<&>"\'A\u{1F600}\r\n<b>&amp;\r\n')
  })

  test('once: the result of an entity or a number is not decoded again', () => {
    const { text } = parseXml(
      '<a>&amp;lt;&#38;gt;&#x26;quot;&amp;#65;&amp;#13;&amp;#xD;&amp;amp;&#38;#xD;&nbsp;&#xD;</a>',
    )
    expect(text).toBe('&lt;&gt;&quot;&#65;&#13;&#xD;&amp;&#xD;&nbsp;\r')
  })

  test('without forbidden control characters, in any notation', () => {
    expect(parseXml('<a>x\u0000\u0008&#8;\u001fy</a>').text).toBe('xy')
  })

  test('in its declared encoding', () => {
    const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1')
    const texts = [
      latin,
      Buffer.from('\ufeff<a>é</a>'),
      Buffer.from('\ufeff<a>é</a>', 'utf16le'),
      Buffer.from('<a>é</a>'),
    ]
    expect(texts.map((bytes) => parseXml(bytes).text)).toEqual(['é', 'é', 'é', 'é'])
    expect(problem(Buffer.from('<?xml version="1.0" encoding="klingon"?><a/>'))).toContain('encoding')
  })

  test('as it was written: escaped text comes back', () => {
    const text = '<a b="c">&\'\r\n\u0001tail'
    expect(parseXml(`<x y="${escapeXml(text)}">${escapeXml(text)}</x>`)).toMatchObject({
      text: text.replace('\u0001', ''),
      attributes: { y: text.replace('\u0001', '') },
    })
  })

  test('child by child with the same result', () => {
    const item = '<a:b xmlns:a="u" c="&amp;&#13;">x &amp; y &lt;&#13;\n<![CDATA[<&amp;>]]><!-- < --></a:b>'
    const long = `<r d="1">${item.repeat(1_000)}</r>`
    const children: XmlElement[] = []
    const limits = { elementsOfChild: 10, charactersOfChild: 1_000 }
    const { root, passedOver } = parseXmlChildren(Buffer.from(long), limits, (child) => children.push(child))
    expect({ ...root, children }).toEqual(parseXml(long))
    expect(passedOver).toBe(0)
    expect(() => parseXmlChildren(long.slice(0, -4), limits, () => {})).toThrow('too early')
  })

  test('without foreign names reaching the prototype of objects', () => {
    const root = parseXml('<a __proto__="x" constructor="y"/>')
    expect(Object.keys(root.attributes)).toEqual(['__proto__', 'constructor'])
    expect(problem('<constructor:a/>')).toContain('prefix')
    expect(problem('<__proto__:a/>')).toContain('prefix')
  })
})

describe('XML is refused', () => {
  test.each([
    ['that broke off', '<a><b>text', 'too early'],
    ['that broke off in a tag', '<a><b', 'too early'],
    ['that is empty', '', 'too early'],
    ['that is something else', '{"json": true}', 'too early'],
    ['whose elements cross', '<a><b></a></b>', 'not open'],
    ['with two roots', '<a/><b/>', 'two roots'],
    ['with a prefix that nobody declared', '<D:a/>', 'prefix'],
    ['with a document type', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'document type'],
    ['that is deep', '<a>'.repeat(65), 'too deep'],
  ])('%s', (_, source, message) => {
    expect(problem(source)).toContain(message)
  })

  test('with its own entities, however often they refer to one another', () => {
    const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
    expect(problem(`<!DOCTYPE lolz [<!ENTITY l0 "lol">${laughs}]><a>&l9;</a>`)).toContain('document type')
    expect(parseXml('<a>&l9;&nbsp;</a>').text).toBe('&l9;&nbsp;')
  })

  test('over the size limit', () => {
    expect(problem('<a>long</a>', { characters: 10 })).toContain('too long')
    expect(problem(`<a>${'<b/>'.repeat(11)}</a>`, { elements: 11 })).toContain('too many')
    expect(problem(`<a>${'<b/>'.repeat(10)}</a>`, { elements: 11 })).toBe('')
  })
})

describe('work limits', () => {
  const limits = { elementsOfChild: 3, charactersOfChild: 10 }

  test('count attributes, namespaces and references of a whole document', () => {
    const attributes = (count: number): string => Array.from({ length: count }, (_, at) => `a${at}="" `).join('')
    expect(problem(`<a ${attributes(257)}/>`)).toContain('too many attributes')
    expect(problem(`<a ${attributes(256)}/>`)).toBe('')
    expect(problem(`<a><b x="" y=""/><b x=""/></a>`, { attributes: 2 })).toContain('too many attributes')
    expect(problem(`<a xmlns:b="u" xmlns:c="u"/>`, { attributesOfElement: 1 })).toContain('too many attributes')
    expect(problem(`<a>${'&lt;'.repeat(11)}</a>`, { references: 10 })).toContain('too many references')
    expect(problem(`<a>${'&lt;'.repeat(10)}</a>`, { references: 10 })).toBe('')
  })

  test('skip a child of the root that exceeds its own limit, and no other', () => {
    const taken: string[] = []
    const source = '<r><a/><b><c/><c/><c/><c/></b><d>0123456789a</d><e><c/><c>x</c></e>&amp;</r>'
    const { root, passedOver } = parseXmlChildren(source, limits, ({ name }) => taken.push(name))
    expect(taken).toEqual(['a', 'e'])
    expect({ passedOver, text: root.text, children: root.children }).toEqual({ passedOver: 2, text: '&', children: [] })
  })

  test('count namespaces where they are declared, at any depth', () => {
    const deep = Array.from({ length: 60 }, (_, at) => `<x xmlns:n${at}="u${at}">`).join('')
    const root = parseXml(`${deep}<n0:y/><n59:y/><n7:y xmlns:n7="v"/>${'</x>'.repeat(60)}`)
    let inner = root
    while (inner.children[0]?.name === 'x') inner = inner.children[0]
    expect(inner.children.map(({ namespace }) => namespace)).toEqual(['u0', 'u59', 'v'])
  })
})
