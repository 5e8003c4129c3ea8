/** The generated types equal those of the contract; `tsc` is the test. */
import type * as contract from '@waypost/contract'
import type { Waypost } from '@waypost/contract'
import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type * as sdk from '../src/index.ts'
import type { TriggerData, TriggerObjects, WaypostClient } from '../src/index.ts'
import type { ClientOf } from './contract-client.ts'

/** With every field required, so that a missing optional field is detected. */
type Whole<T> = T extends string | number | boolean | null | undefined | Headers | AbortSignal | Blob | ReadableStream
  ? T
  : T extends readonly (infer Item)[]
    ? Whole<Item>[]
    : T extends (...args: never) => unknown
      ? T
      : { [K in keyof T]-?: Whole<Exclude<T[K], undefined>> }

type Extends<A, B> = [A] extends [B] ? true : false
type Same<A, B> = Extends<A, B> & Extends<B, A> & Extends<Whole<A>, Whole<B>> & Extends<Whole<B>, Whole<A>>
type AreSame<A, B> = [Same<A, B>] extends [true] ? true : false

// biome-ignore lint/suspicious/noExplicitAny: any function will do, whatever it takes.
type Call = (...args: any) => any
type SameCall<A, B> = A extends Call
  ? B extends Call
    ? [AreSame<Parameters<A>, Parameters<B>>, AreSame<Awaited<ReturnType<A>>, Awaited<ReturnType<B>>>] extends [
        true,
        true,
      ]
      ? true
      : false
    : false
  : false

type SameAll<A, B> = A extends { all: infer All }
  ? B extends { all: infer Other }
    ? SameCall<All, Other>
    : false
  : B extends { all: unknown }
    ? false
    : true

type Contracted = ClientOf<Waypost>
type Differences = {
  [R in keyof Contracted & keyof WaypostClient & string]: {
    [O in keyof Contracted[R] & keyof WaypostClient[R] & string]: SameCall<
      Contracted[R][O],
      WaypostClient[R][O]
    > extends true
      ? SameAll<Contracted[R][O], WaypostClient[R][O]> extends true
        ? never
        : `${R}.${O}.all`
      : `${R}.${O}`
  }[keyof Contracted[R] & keyof WaypostClient[R] & string]
}[keyof Contracted & keyof WaypostClient & string]

type Ids<C> = { [R in keyof C & string]: `${R}.${keyof C[R] & string}` }[keyof C & string]

test('every operation has the input and output of its route', () => {
  expectTypeOf<Ids<WaypostClient>>().toEqualTypeOf<Ids<Contracted>>()
  expectTypeOf<Differences>().toEqualTypeOf<never>()
})

test('every trigger has the data of the contract', () => {
  type Told = { [T in contract.Trigger]: z.output<(typeof contract.triggers)[T]['object']> }
  expectTypeOf<AreSame<TriggerObjects, Told>>().toEqualTypeOf<true>()
  expectTypeOf<
    AreSame<TriggerData['message.send_failed'], z.output<typeof contract.SendFailedData>>
  >().toEqualTypeOf<true>()
  expectTypeOf<keyof typeof sdk.triggers>().toEqualTypeOf<contract.Trigger>()
})

test("the catalog equals the contract's", () => {
  expectTypeOf<(typeof sdk.errors)['rate_limited']>().toEqualTypeOf<(typeof contract.errors)['rate_limited']>()
  expectTypeOf<keyof typeof sdk.errors>().toEqualTypeOf<contract.ErrorCode>()
  expectTypeOf<keyof typeof sdk.providerKinds>().toEqualTypeOf<contract.ProviderKind>()
})

test('named enumerations equal those of the contract', () => {
  expectTypeOf<sdk.MessageFields>().toEqualTypeOf<contract.MessageFields>()
  expectTypeOf<sdk.SentFields>().toEqualTypeOf<contract.SentFields>()
  expectTypeOf<sdk.ScheduleCode>().toEqualTypeOf<contract.ScheduleCode>()
  expectTypeOf<sdk.ShownTrigger>().toExtend<contract.ShownTrigger>()
})
