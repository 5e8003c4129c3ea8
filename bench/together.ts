/** Runs `work` for 0 to `count`, `inFlight` at a time, like clients that do not wait for each other. */
export async function together(count: number, inFlight: number, work: (index: number) => unknown): Promise<void> {
  let next = 0
  const client = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: inFlight }, client))
}
