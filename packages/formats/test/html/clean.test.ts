import { isCheck } from '@waypost/testing/level'
import { describe, expect, test } from 'vitest'
import { clean } from '../../src/html/clean.ts'
import type { CleanOptions } from '../../src/html/clean-lines.ts'

const USUAL: CleanOptions = {
  ignore_links: true,
  ignore_images: true,
  images_as_markdown: true,
  ignore_tables: true,
  remove_conclusion_phrases: true,
  html_as_markdown: false,
}
const html = (body: string, options: Partial<CleanOptions> = {}): string => clean(body, true, { ...USUAL, ...options })
const text = (body: string, options: Partial<CleanOptions> = {}): string => clean(body, false, { ...USUAL, ...options })

describe('of an HTML reply only the answer remains', () => {
  const replies: Record<string, string> = {
    Gmail: `<div dir="ltr">The answer</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Tue, 3 Mar 2026 at 10:00, Bob &lt;<a href="mailto:b@example.com">b@example.com</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0">old</blockquote></div>`,
    'Gmail, older': `<div>The answer</div><div class="gmail_extra"><div class="gmail_quote">On Tue, Mar 3, 2026, Bob <span>&lt;b@example.com&gt;</span> wrote:<br><blockquote class="gmail_quote">old</blockquote></div></div>`,
    'Gmail, forwarding': `<div dir="ltr">The answer<br><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: Bob</div><br>old<div>older</div></div></div>`,
    'Apple Mail': `<body>The answer<br><div><br><blockquote type="cite"><div>On 3 Mar 2026, at 10:00, Bob wrote:</div>old</blockquote></div></body>`,
    'Apple Mail, forwarding': `<div>The answer</div><div><br>Begin forwarded message:<br></div><blockquote type="cite"><b>From: </b>Bob</blockquote>`,
    Outlook: `<div class=WordSection1><p class=MsoNormal>The answer<o:p></o:p></p><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in'><p class=MsoNormal><b>From:</b> Bob<br><b>Sent:</b> Tuesday<br><b>To:</b> Ann<br><b>Subject:</b> x</p></div><p>old</p></div>`,
    'Outlook in German': `<p>The answer</p><p><b>Von:</b> Bob<br><b>Gesendet:</b> Dienstag<br><b>An:</b> Ann<br><b>Betreff:</b> x</p><p>old</p>`,
    'Outlook in a language that we do not know': `<p>The answer</p><div style="border:none;border-top:solid #B5C4DF 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p><b>Feladó:</b> Bob<br><b>Elküldve:</b> kedd<br><b>Címzett:</b> Ann</p></div><p>old</p>`,
    'Outlook on the web': `<div>The answer</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Bob</div><div>old</div>`,
    'Outlook on the web, shown in itself': `<div>The answer</div><div id="x_x_divRplyFwdMsg"><b>From:</b> Bob</div><div>old</div>`,
    'Outlook for Mac': `<div>The answer</div><span id="OLK_SRC_BODY_SECTION"><div>From: Bob</div>old</span>`,
    'Outlook on a phone': `<div>The answer</div><div class="ms-outlook-mobile-reference-message"><hr>From: Bob<br>old</div>`,
    Hotmail: `<div>The answer</div><hr id="stopSpelling">Date: Tue<br>old`,
    Yahoo: `<div>The answer</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Tuesday, Bob wrote:</div>old</div>`,
    Thunderbird: `<p>The answer</p><div class="moz-cite-prefix">On 3/3/26 10:00, Bob wrote:<br></div><blockquote type="cite" cite="mid:1@x">old</blockquote>`,
    'Thunderbird, forwarding': `<p>The answer</p><div class="moz-forward-container">-------- Forwarded Message --------<table><tr><td>old</td></tr></table></div>`,
    'Proton Mail': `<div>The answer</div><div class="protonmail_quote">On Tuesday, Bob wrote:<blockquote class="protonmail_quote" type="cite">old</blockquote></div>`,
    Zoho: `<div>The answer</div><div class="zmail_extra"><div>---- On Tue, Bob wrote ----</div><blockquote id="blockquote_zmail">old</blockquote></div>`,
    Zimbra: `<div>The answer</div><hr id="zwchr"><div>From: Bob</div>old`,
    GMX: `<div>The answer</div><div name="quote" style="margin:10px">Gesendet: Dienstag<br>old</div>`,
    Spark: `<div name="messageBodySection">The answer</div><div name="messageReplySection">On 3 Mar 2026, Bob wrote:<blockquote type="cite">old</blockquote></div>`,
    Roundcube: `<p>The answer</p><p id="reply-intro">On 2026-03-03 10:00, Bob wrote:</p><blockquote type="cite">old</blockquote>`,
    'an unknown client with a line above a quotation': `<p>The answer</p><p>On 3 March 2026 Bob wrote:</p><blockquote>old</blockquote>`,
  }
  for (const [client, body] of Object.entries(replies)) test(client, () => expect(html(body)).toBe('The answer'))
})

describe('of a plain-text reply only the answer remains', () => {
  const replies: Record<string, string> = {
    English: 'On Tue, Mar 3, 2026 at 10:00 AM Bob <b@example.com> wrote:\n> old',
    'English over two lines':
      'On Tue, Mar 3, 2026 at 10:00 AM Bob Example\n<b@example.com> wrote:\n\n> old\n>\n> older',
    'English without marks': 'On Tue, Mar 3, 2026, Bob <b@example.com> wrote:\n\nold\nolder',
    German: 'Am 03.03.2026 um 10:00 schrieb Bob <b@example.com>:\n> old',
    French: 'Le mar. 3 mars 2026 à 10:00, Bob <b@example.com> a écrit :\n> old',
    Spanish: 'El mar, 3 mar 2026 a las 10:00, Bob (<b@example.com>) escribió:\n> old',
    Italian: 'Il giorno mar 3 mar 2026 alle ore 10:00 Bob <b@example.com> ha scritto:\n> old',
    Dutch: 'Op di 3 mrt 2026 om 10:00 schreef Bob <b@example.com>:\n> old',
    Portuguese: 'Em ter., 3 de mar. de 2026 às 10:00, Bob <b@example.com> escreveu:\n> old',
    Swedish: 'Den tis 3 mars 2026 kl 10:00 skrev Bob <b@example.com>:\n> old',
    Polish: 'W dniu wt., 3 mar 2026 o 10:00 Bob <b@example.com> napisał(a):\n> old',
    Russian: 'вт, 3 мар. 2026 г. в 10:00, Bob <b@example.com>:\n> old',
    'Russian with a verb': '3 марта 2026, Bob написал:\n> old',
    Japanese: '2026年3月3日(火) 10:00 Bob <b@example.com>:\n\n> old',
    Outlook: '-----Original Message-----\nFrom: Bob\nold',
    'Outlook in French': "-----Message d'origine-----\nDe : Bob\nold",
    'Outlook with a line':
      '________________________________\nFrom: Bob <b@example.com>\nSent: Tuesday\nTo: Ann\nSubject: x\n\nold',
    'Outlook without a line': '*From:* Bob <b@example.com>\n*Sent:* Tuesday\n*To:* Ann\n*Subject:* x\n\nold',
    'a forward by Gmail': '---------- Forwarded message ---------\nFrom: Bob\nold',
    'a forward by Apple Mail': 'Begin forwarded message:\n\n> From: Bob\n> old',
    'a forward by Apple Mail in German': 'Anfang der weitergeleiteten Nachricht:\n\nVon: Bob\nold',
  }
  for (const [name, rest] of Object.entries(replies))
    test(name, () => expect(text(`The answer\n\n${rest}`)).toBe('The answer'))
})

describe("the writer's text remains", () => {
  test('between and below quotations', () => {
    expect(text('On 3 Mar, Bob wrote:\n> one?\nyes\n\n> two?\nno')).toBe('yes\n\nno')
    expect(
      html('<blockquote type="cite">one?</blockquote><p>yes</p><blockquote type="cite">two?</blockquote><p>no</p>'),
    ).toBe('yes\n\nno')
  })
  test('if it only looks like the heading of an earlier message', () => {
    const body = 'From: the station you go left.\nOn Monday she wrote: nothing.\nI quote:\nno more'
    expect(text(body)).toBe(body)
  })
  test("if it is the writer's own quotation", () => {
    expect(html('<p>As Kant says</p><blockquote>Dare to know</blockquote><p>so do it</p>')).toBe(
      'As Kant says\n\n> Dare to know\n\nso do it',
    )
  })
  test('if it is right above the line that introduces a quotation', () => {
    expect(text('On Monday we meet.\nBob wrote:\n> when?')).toBe('On Monday we meet.')
  })
})

test('a forward without its own text leaves nothing', () => {
  expect(text('---------- Forwarded message ---------\nFrom: Bob\nold')).toBe('')
})

test('scripts, styles, heads and comments are never text', () => {
  expect(
    html(
      '<head><title>t</title><style>p{}</style></head><body><script>x()</script><!-- c --><!--[if mso]>m<![endif]-->a<svg><text>s</text></svg></body>',
    ),
  ).toBe('a')
  expect(html('<head><meta charset=utf-8><p>no end of the head')).toBe('no end of the head')
})

test('lines and paragraphs stay separate', () => {
  expect(html('<div>one</div><div>two<br>three</div><div><br></div><p>four</p><p>five &amp;&nbsp;six</p>')).toBe(
    'one\ntwo\nthree\n\nfour\n\nfive & six',
  )
})

describe('links', () => {
  const body =
    '<a href="https://example.com/a b">here</a>, <a href="https://example.com">https://example.com</a>, <a href="javascript:x()">bad</a>'
  test('are removed except for their text', () => {
    expect(html(body)).toBe('here, https://example.com, bad')
  })
  test('are kept as text', () => {
    expect(html(body, { ignore_links: false })).toBe('here (https://example.com/a b), https://example.com, bad')
  })
  test('are kept as Markdown', () => {
    expect(html(body, { ignore_links: false, html_as_markdown: true })).toBe(
      '[here](https://example.com/a%20b), [https://example.com](https://example.com), bad',
    )
  })
})

describe('images', () => {
  const body =
    'see <img src="cid:1" alt="a [plan]"><img src="data:image/png;base64,xx"><img src="https://example.com/x.png">'
  test('are removed', () => expect(html(body)).toBe('see'))
  test('are kept as Markdown', () => {
    expect(html(body, { ignore_images: false })).toBe('see ![a plan](cid:1)![](https://example.com/x.png)')
  })
  test('are kept as their URL', () => {
    expect(html('see <img src="cid:1">', { ignore_images: false, images_as_markdown: false })).toBe('see cid:1')
  })
})

describe('tables', () => {
  const body = '<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>7|8</td></tr></table>'
  const page = `<table><tr><td><p>Hello</p></td></tr><tr><td>${body}</td></tr></table>`
  test('become rows of text', () => expect(html(body)).toBe('Name Age\nAnn 7|8'))
  test('stay tables as text', () => expect(html(body, { ignore_tables: false })).toBe('Name | Age\nAnn | 7\\|8'))
  test('stay tables in Markdown', () => {
    expect(html(body, { ignore_tables: false, html_as_markdown: true })).toBe(
      '| Name | Age |\n| --- | --- |\n| Ann | 7\\|8 |',
    )
  })
  test('that lay out a page are not tables', () => {
    expect(html(page, { ignore_tables: false })).toBe('Hello\n\nName | Age\nAnn | 7\\|8')
  })
})

describe('closing phrases', () => {
  test('are removed, and the name stays', () => {
    expect(text('Yes.\n\nBest regards,\nAnn')).toBe('Yes.\n\nAnn')
    expect(html('<p>Yes.</p><p>Kind Regards</p><p>Ann</p>')).toBe('Yes.\n\nAnn')
  })
  test('stay on request', () => {
    expect(text('Yes.\n\nBest regards,\nAnn', { remove_conclusion_phrases: false })).toBe('Yes.\n\nBest regards,\nAnn')
  })
  test('stay if they are the message, or part of a sentence', () => {
    expect(text('Thanks!')).toBe('Thanks!')
    expect(text('Hi,\nthanks for the best wishes')).toBe('Hi,\nthanks for the best wishes')
  })
})

test('Markdown has headings, emphasis, lists, code and quotations', () => {
  const body =
    '<h2>Plan</h2><p>A <b> bold</b> <i>word</i><b></b> and <code>x=1</code></p><ul><li>one<ol start=3><li>deep</li><li>er</li></ol></li><li>two</li></ul><pre>a\n  b</pre><blockquote>said<br>so</blockquote>'
  expect(html(body, { html_as_markdown: true })).toBe(
    '## Plan\n\nA **bold** *word* and `x=1`\n\n- one\n  3. deep\n  4. er\n- two\n\n```\na\n  b\n```\n\n> said\n> so',
  )
  expect(html(body)).toBe('Plan\n\nA bold word and x=1\n\n- one\n  3. deep\n  4. er\n- two\n\na\n  b\n\n> said\n> so')
})

describe('a malicious body is cleaned too', () => {
  const all = { ignore_links: false, ignore_images: false, ignore_tables: false, html_as_markdown: true }
  /** A quarter of it is already far more than the stack could hold. */
  const many = (unit: string, count: number): string => unit.repeat(isCheck ? count : count / 4)
  for (const [name, body, expected] of [
    ['elements inside one another', `${many('<div>', 200_000)}x`, 'x'],
    ['tables inside one another', `${many('<table><tr><td>', 60_000)}x`, 'x'],
    ['emphases inside one another', `${many('<b>', 200_000)}x`, '**x**'],
    ['ends without a beginning', `x${many('<div>', 100_000)}${many('</span>', 100_000)}`, 'x'],
    ['an element with thousands of attributes', `<a ${many('b=c ', 400_000)}>x`, 'x'],
    ['comments without end', `x${many('<!--', 400_000)}`, 'x'],
  ] as const) {
    test(name, () => expect(html(body, all)).toBe(expected))
  }
  test('lists inside one another', () => expect(html(many('<ul><li>x', 100_000), all)).toMatch(/^- x\n {2}- x\n/))
  test('a million lines', () => expect(text('x\n'.repeat(1_000_000))).toMatch(/^x\nx\n/))
})
