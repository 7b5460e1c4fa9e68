/** Minimum length of a password. Source: spec §5, §9. */
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 1_024

/** Is a password long enough? Counts code points. */
export const isLongEnough = (password: string): boolean => [...password].length >= PASSWORD_MIN
