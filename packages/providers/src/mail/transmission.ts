/**
 * Maximum duration of a transmission, from `begin()` on. An adapter gives up earlier by itself and checks the time
 * again before the byte that makes the provider accept the message. After this time, plus some for the provider's
 * indexing, a message can no longer appear.
 */
export const transmissionMs = 240_000
