/**
 * Functions of an adapter whose module is loaded when one of them is first called: a node holds no code for providers that
 * nobody has an account at. Which functions there are stands in the adapter's table, as with all others.
 */
// biome-ignore lint/suspicious/noExplicitAny: what they take is theirs; nothing here looks at it
type Asynchronous = (...given: any[]) => Promise<any>
type Missing<T, N extends readonly unknown[]> = Exclude<keyof T, N[number]>

/** One such function. */
export function functionOnFirstUse<F extends Asynchronous>(load: () => Promise<F>): F {
  let loaded: F | undefined
  const call = async (...given: Parameters<F>): Promise<unknown> => {
    loaded ??= await load()
    return loaded(...given)
  }
  // It takes and answers what the other does, which its type says better than ours can.
  return call as F
}

/** All functions of a table; the compiler holds the names against it, both ways. */
export function onFirstUse<
  T extends Readonly<Record<keyof T, Asynchronous>>,
  const N extends readonly (keyof T & string)[],
>(load: () => Promise<T>, names: N & ([Missing<T, N>] extends [never] ? unknown : { missing: Missing<T, N> })): T {
  const entries = names.map((name) => [name, functionOnFirstUse(async () => (await load())[name as keyof T])] as const)
  return Object.fromEntries(entries) as unknown as T
}
