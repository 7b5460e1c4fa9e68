import { BoxID } from '@befaqt/domain/box-values'

const TOPIC = /^befaqt\/([^/]+)\/(tracking|refused)$/

/** Where devices publish readings, for all boxes. Source: running.md 'Records from the field'. */
export const ALL_TRACKING = 'befaqt/+/tracking'
/** Where rejections of all boxes are published. */
export const ALL_REFUSED = 'befaqt/+/refused'

/** Where the rejection of a reading of a box is published. */
export const refusedTopic = (boxID: string): string => `befaqt/${boxID}/refused`

/** The box of a topic of this kind; undefined for any other topic. */
export function boxOfTopic(topic: string, kind: 'tracking' | 'refused'): string | undefined {
  const [, boxID, found] = TOPIC.exec(topic) ?? []
  return found === kind ? BoxID.safeParse(boxID).data : undefined
}
