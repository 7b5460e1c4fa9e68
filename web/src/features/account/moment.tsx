import { useSite } from '#web/root-data.ts'

/** A moment in market time: 2 Mar 2026, 17:00. The same on server and in browser. */
export function Moment({ at }: { at: string }) {
  const timeZone = useSite()?.market.timeZone
  const words = new Intl.DateTimeFormat('en-AU', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(at))
  return <time dateTime={at}>{words}</time>
}
