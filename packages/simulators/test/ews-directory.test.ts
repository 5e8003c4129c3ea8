import { afterAll, afterEach, expect, test } from 'vitest'
import { type Answer, all, ask, codes, openExchange, texts } from './ews-account.ts'
import { getFolder, standard } from './ews-requests.ts'

const { exchange, check, ...opened } = await openExchange()
exchange.addDirectoryEntry({ email: 'engines@exchange.example', name: 'Engine builders', kind: 'PublicDL' })
exchange.addDirectoryEntry({
  email: 'adele@exchange.example',
  name: 'Adele Goldberg',
  aliases: ['smalltalk@exchange.example'],
  department: 'Learning',
  businessPhone: '+1 555 0100',
})
afterEach(() => check())
afterAll(() => opened[Symbol.asyncDispose]())

const resolve = (entry: string, isFull = false): Promise<Answer> =>
  ask(
    exchange,
    `<m:ResolveNames ReturnFullContactData="${isFull}" SearchScope="ActiveDirectory">
      <m:UnresolvedEntry>${entry}</m:UnresolvedEntry></m:ResolveNames>`,
  )

test('names are resolved by prefix, and by address', async () => {
  const one = await resolve('lovel')
  expect(codes(one)).toEqual(['NoError'])
  expect(texts(one.body, 'EmailAddress')).toEqual(['ada@exchange.example'])
  const several = await resolve('ad')
  expect(all(several.body, 'ResolveNamesResponseMessage')[0]?.attributes.ResponseClass).toBe('Warning')
  expect(codes(several)).toEqual(['ErrorNameResolutionMultipleResults'])
  expect(texts(several.body, 'Name')).toEqual(['Ada Lovelace', 'Adele Goldberg'])
  expect(codes(await resolve('nobody'))).toEqual(['ErrorNameResolutionNoResults'])
  const alias = await resolve('smtp:smalltalk@exchange.example', true)
  expect(texts(alias.body, 'Department')).toEqual(['Learning'])
  expect(texts(alias.body, 'Entry')).toEqual([
    'SMTP:adele@exchange.example',
    'smtp:smalltalk@exchange.example',
    '+1 555 0100',
  ])
  expect(texts((await resolve('engine b')).body, 'MailboxType')).toEqual(['PublicDL'])
})

test('an id is converted to the forms of other protocols, and back', async () => {
  const inbox = await ask(exchange, getFolder(standard('inbox'), { base: 'IdOnly' }))
  const id = all(inbox.body, 'FolderId')[0]?.attributes.Id ?? ''
  const convert = async (text: string, from: string, to: string) => {
    const source = `<t:AlternateId Format="${from}" Id="${text}" Mailbox="ada@exchange.example"/>`
    return ask(exchange, `<m:ConvertId DestinationFormat="${to}"><m:SourceIds>${source}</m:SourceIds></m:ConvertId>`)
  }
  const idIn = (answer: Answer) => all(answer.body, 'AlternateId')[0]?.attributes.Id ?? ''
  for (const format of ['EntryId', 'HexEntryId', 'OwaId', 'StoreId']) {
    const other = idIn(await convert(id, 'EwsId', format))
    expect(other).not.toBe(id)
    expect(idIn(await convert(other, format, 'EwsId'))).toBe(id)
  }
  expect(codes(await convert('AAAA', 'EwsId', 'EntryId'))).toEqual(['ErrorInvalidIdMalformed'])
})
