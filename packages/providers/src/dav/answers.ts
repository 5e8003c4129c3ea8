/** Parses responses of DAV servers: small ones on the main thread, others in a worker thread. */
import { unpackSlices } from '@waypost/platform/parsing/slices'
import { XmlError, XmlTooLarge } from '@waypost/platform/xml/xml'
import { smallAnswer } from '../shared/answer-threads.ts'
import { notDav } from './errors.ts'
import { type DavResponse, type MultiStatus, type MultiStatusEnd, responseOf } from './multistatus.ts'
import { answerLimits, type MultiStatusSource, readMultiStatus, smallLimits } from './multistatus-reading.ts'
import { type DavAnswer, hostOf, type Transport } from './transport.ts'

type Read = MultiStatusEnd & { responses: DavResponse[] }

/** The responses in a server's answer; throws if the server does not answer as a DAV server. */
export async function multiStatusOf({ io, hosts }: Transport, answer: DavAnswer): Promise<MultiStatus> {
  const { body, url } = answer
  const host = hostOf(url)
  const read = await responsesIn(io, { body, url, hosts }).catch((error: unknown) => {
    throw error instanceof XmlError ? notDav(host, error, answer) : error
  })
  if (!read) throw notDav(host, undefined, answer)
  const { responses, syncToken, truncated, passedOver } = read
  if (passedOver > 0) {
    io.log.warn({ host, count: passedOver }, 'a DAV server answered with objects that are too large; they are left out')
  }
  return { responses, truncated, ...(syncToken ? { syncToken } : {}) }
}

async function responsesIn(io: Transport['io'], source: MultiStatusSource): Promise<Read | undefined> {
  const { answers } = io
  if (!answers) return readHere(source, answerLimits)
  if (source.body.length <= smallAnswer) {
    try {
      return readHere(source, smallLimits)
    } catch (error) {
      if (!(error instanceof XmlTooLarge)) throw error
    }
  }
  const [outcome] = await answers.run('multiStatus', [source], io.signal)
  if (!outcome?.ok) throw new XmlTooLarge(outcome?.message ?? '')
  if (!outcome.value) return undefined
  const { slices, ...end } = outcome.value
  const responses: DavResponse[] = []
  await unpackSlices<Parameters<typeof responseOf>[0]>(slices, (reported) => responses.push(responseOf(reported)))
  return { ...end, responses }
}

function readHere(source: MultiStatusSource, limits: typeof answerLimits): Read | undefined {
  const responses: DavResponse[] = []
  const end = readMultiStatus(source, limits, (reported) => responses.push(responseOf(reported)))
  return end && { ...end, responses }
}
