/** Fewest characters of a password. Source: spec §5, §9. */
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 1_024

/** Has a password enough characters? Counted as people see them: code points. */
export const isLongEnough = (password: string): boolean => [...password].length >= PASSWORD_MIN
