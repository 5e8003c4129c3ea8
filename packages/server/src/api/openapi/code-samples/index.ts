/** Code samples of an operation, made from its example. */
import type { NamedRoute } from '@waypost/contract'
import { mainCase } from '../examples.ts'
import type { Json } from '../json.ts'
import { curlSample } from './curl.ts'
import { nylasSample } from './nylas.ts'
import { sdkSample } from './sdk.ts'

export const codeSamplesOf = (named: NamedRoute, baseUrl: string): Json => {
  const example = mainCase(named)
  if (!example) return {}
  const published = nylasSample(named, example, baseUrl)
  return {
    'x-codeSamples': [
      { lang: 'Shell', label: 'curl', source: curlSample(named, example, baseUrl) },
      { lang: 'TypeScript', label: 'Waypost SDK', source: sdkSample(named, example, baseUrl) },
      ...(published === undefined ? [] : [{ lang: 'TypeScript', label: 'Nylas SDK', source: published }]),
    ],
  }
}
