/* How a backup is sent to a bare shop. The server enforces it, its page does so. */

/**
 * Bytes of a backup that are sent to a bare shop at a time: what was sent is kept, and a slow line sends as many within the
 * time of a request.
 */
export const PART_BYTES = 2 * 1024 * 1024
/** What of it is known before it is sent: how it begins. */
export const HEAD_BYTES = 4_096
/** Header with the one-time link by which the first administrator is made. */
export const LINK_HEADER = 'setup-link'
/** Header with what a tab of a browser is recognized by: 22 letters or more that nobody guesses. */
export const TAB_HEADER = 'restore-tab'
/** Header with the `place` of the process that this is meant for: another, with another folder, refuses it. Optional. */
export const PLACE_HEADER = 'restore-place'
