// ConvertId: converts ids of folders and items between the formats of different protocols.
import type { EwsCall } from '../model.ts'
import { answerEach } from '../soap/answers.ts'
import { EwsError, malformedId } from '../soap/errors.ts'
import { type EwsId, entryId, readEntryId, readId, writeId } from '../store/ids.ts'
import { childOf, type XmlNode } from '../xml/read.ts'
import { element, type Xml } from '../xml/write.ts'

interface Format {
  read(text: string): EwsId
  write(id: EwsId): string
}

const ews: Format = { read: readId, write: writeId }

const formats: Readonly<Record<string, Format>> = {
  EwsId: ews,
  EwsLegacyId: ews,
  EntryId: { read: (text) => readEntryId(Buffer.from(text, 'base64')), write: (id) => entryId(id).toString('base64') },
  HexEntryId: {
    read: (text) => readEntryId(Buffer.from(text, 'hex')),
    write: (id) => entryId(id).toString('hex').toUpperCase(),
  },
  StoreId: { read: (text) => readEntryId(Buffer.from(text, 'base64')), write: (id) => entryId(id).toString('base64') },
  // Outlook on the web puts ids into URLs.
  OwaId: { read: (text) => readId(decoded(text)), write: (id) => encodeURIComponent(writeId(id)) },
}

export function convertId(call: EwsCall): Promise<Xml> {
  const { DestinationFormat: destination = '' } = call.request.attributes
  return answerEach(call, childOf(call.request, 'SourceIds')?.children ?? [], (source) => [
    convert(source, destination),
  ])
}

function convert(source: XmlNode, destination: string): Xml {
  const { Format = '', Id = '', Mailbox } = source.attributes
  const from = formats[Format]
  const to = formats[destination]
  if (source.name !== 'AlternateId' || from === undefined || to === undefined) {
    throw new EwsError('ErrorInvalidRequest', 'Ids of public folders are not simulated.')
  }
  return element('m:AlternateId', {
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:type': 't:AlternateIdType',
    Format: destination,
    Id: to.write(from.read(Id)),
    Mailbox,
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw malformedId()
  }
}
