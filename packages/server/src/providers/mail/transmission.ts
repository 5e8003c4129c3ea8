/**
 * The longest that handing a message over may take, from `begin()` on. An adapter gives up by itself before, and looks at
 * the time once more before the byte that makes the provider take the message: whoever waits longer than this, and a
 * little for the provider's own books, knows that nothing comes any more.
 */
export const transmissionMs = 240_000
