/** Half an hour, a number of hours from now. */
const firstHour = Math.floor(Date.now() / 3_600_000) * 3600
export const eventAt = (hour: number) => ({
  title: 'Bench',
  when: { start_time: firstHour + hour * 3600, end_time: firstHour + hour * 3600 + 1800 },
})
