/** Whether this is `npm run check`, which runs more than `npm test`; vitest.config.ts sets the variable. */
export const isFullCheck = process.env.WAYPOST_TEST_MODE === 'check'
