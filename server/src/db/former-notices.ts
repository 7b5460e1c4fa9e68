import { eventKinds } from './events.ts'

/**
 * The channels on which the version before the outbox notifies of these, in its transactions, and hears of them: during an
 * upgrade its processes run beside this one. The next version leaves them out.
 */
const channels: Readonly<Record<string, string>> = {
  [eventKinds.catalogueChanged]: 'catalogue',
  [eventKinds.boxGrown]: 'records',
  [eventKinds.anchorConfirmed]: 'anchors',
}

/** The channels of events of these kinds. Without a payload each makes a former process look at everything. */
export const formerChannels = (kinds: readonly string[]): string[] =>
  Object.entries(channels).flatMap(([kind, channel]) => (kinds.includes(kind) ? [channel] : []))

/** What a former process notifies of, as an event. Processes of this version notify without a payload. */
export const formerNotices = Object.entries(channels).map(([kind, channel]) => ({
  channel,
  eventOf: (payload: string) => ({
    kind,
    keys: kind === eventKinds.catalogueChanged ? null : [payload],
  }),
}))
