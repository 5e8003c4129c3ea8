import { usePage } from '../page.ts'

/** The day and the times of a meeting, in two lines. */
export const When = ({ start, end }: { start: number; end: number }) => {
  const { formats } = usePage()
  return (
    <>
      {formats.longDay(formats.dayOf(start))}
      <br />
      {formats.times(start, end)}
    </>
  )
}
