import type { TestProject } from 'vitest/node'
import { type PostgresPeer, startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

let peer: PostgresPeer | undefined

/** Starts the one PostgreSQL server that all test files of a run share. */
export async function setup(project: TestProject): Promise<void> {
  peer = await startPostgres()
  project.provide('postgresUrl', peer.url())
}

export async function teardown(): Promise<void> {
  await peer?.[Symbol.asyncDispose]()
}
