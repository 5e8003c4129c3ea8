/** How a reply is threaded with its parent. */
import { describe, expect, test } from 'vitest'
import { answerSubject, isAnswer, referencesTo } from '../../src/sending/replies/reply.ts'
import { readComposed } from './composing.ts'

const parent = { messageId: 'p@example.org', references: ['root@example.org', 'mid@example.org'], subject: 'Hall' }

describe('a reply', () => {
  test('names its parent and thread, and takes over the subject', async () => {
    const { own, header } = await readComposed({ request: { subject: undefined }, reply: parent })
    expect(header('in-reply-to')).toBe('<p@example.org>')
    expect(own.references).toEqual(['root@example.org', 'mid@example.org', 'p@example.org'])
    expect(own.subject).toBe('Re: Hall')
  })

  test("to a message without Message-ID uses that message's references and subject", async () => {
    const { messageId: _, ...nameless } = parent
    const { own, names } = await readComposed({ request: { subject: undefined }, reply: nameless })
    expect(names).not.toContain('in-reply-to')
    expect(own.references).toEqual(['root@example.org', 'mid@example.org'])
    expect(own.subject).toBe('Re: Hall')
    const alone = await readComposed({ request: {}, reply: { references: [], subject: '' } })
    expect(alone.names).not.toContain('references')
  })

  test('has the subject of the request, even an empty one', async () => {
    expect((await readComposed({ request: { subject: 'Other' }, reply: parent })).own.subject).toBe('Other')
    expect((await readComposed({ request: { subject: '' }, reply: parent })).own.subject).toBe('')
  })
})

describe('references', () => {
  test('contain the parent once, at the end', () => {
    expect(referencesTo({ ...parent, references: ['p@example.org', 'a@example.org', 'a@example.org'] })).toEqual([
      'a@example.org',
      'p@example.org',
    ])
  })

  test('of a long thread contain its root and the newest messages', () => {
    const references = Array.from({ length: 500 }, (_, index) => `m${index}@example.org`)
    const retained = referencesTo({ ...parent, references })
    expect(retained).toHaveLength(30)
    expect(retained[0]).toBe('m0@example.org')
    expect(retained.slice(-2)).toEqual(['m499@example.org', 'p@example.org'])
  })

  test('leave out invalid ids', () => {
    const references = ['', 'a b@example.org', '<x>', 'ä@example.org', 'x'.repeat(901), 'ok@example.org']
    expect(referencesTo({ ...parent, references })).toEqual(['ok@example.org', 'p@example.org'])
  })
})

describe('the subject of a reply', () => {
  test.each([
    ...['Re: Hall', 'RE:Hall', 're : Hall', 'Re[2]: Hall', 'Re(3): Hall', 'Re^2: Hall', 'Re2: Hall', ' RE：Hall'],
    ...[
      'AW: Halle',
      'Antw: Zaal',
      'SV: Hall',
      'VS: Halli',
      'R: Sala',
      'RIF: Sala',
      'Res: Sala',
      'ODP: Sala',
      'YNT: Salon',
    ],
    ...[
      'Vá: Terem',
      'ATB: Neuadd',
      'BLS: Aula',
      'ΑΠ: Αίθουσα',
      'ΣΧΕΤ: Αίθουσα',
      'Отв: Зал',
      'Відп: Зал',
      'השב: אולם',
      'رد: قاعة',
    ],
    ...['回复: 大厅', '回覆：大廳', '答复: 大厅', '返信: ホール', '답장: 홀', 'Va\u0301: Terem'],
  ])('stays %j', (subject) => {
    expect(isAnswer(subject)).toBe(true)
    expect(answerSubject(subject)).toBe(subject.trim())
  })

  test.each([
    'Hall',
    'Report: Hall',
    'Rest: Hall',
    'R2: Hall',
    'Re Hall',
    'Request: re: hall',
    'Revision 2: x',
    'Fwd: Hall',
    'Var: x',
  ])('has Re: before %j', (subject) => {
    expect(answerSubject(subject)).toBe(`Re: ${subject}`)
  })

  test("is one line, and not empty even if the parent's was", () => {
    expect(answerSubject('a\r\n b\0c')).toBe('Re: a  b c')
    expect(answerSubject('')).toBe('Re:')
  })
})
