/** Maximum length of an address. Source: RFC 5321 §4.5.3.1, errata 1690. */
export const EMAIL_MAX = 254
const LOCAL_MAX = 64

/** `dot-atom` of RFC 5322 §3.2.3: the local part of nearly every address. Quoted local parts are not accepted. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
/** Labels of letters and digits of any script with inner hyphens (RFC 5890), two or more. */
const DOMAIN =
  /^([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}]$/u

/** Without spaces at its ends. Line breaks and other white space stay, for schemas to refuse. */
export function trimSpaces(text: string): string {
  let [from, to] = [0, text.length]
  while (text[from] === ' ') from++
  while (to > from && text[to - 1] === ' ') to--
  return text.slice(from, to)
}

/** The address as it is stored: trimmed of spaces, but not of line breaks, which must be rejected (header injection). */
export const normalizeEmail = (typed: string): string => trimSpaces(typed).normalize('NFC')

/** Checks a normalized address. The domain may be in any script; the local part is ASCII, as in browsers' email fields. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  return (
    text.length <= EMAIL_MAX &&
    at > 0 &&
    local.length <= LOCAL_MAX &&
    LOCAL.test(local) &&
    DOMAIN.test(text.slice(at + 1))
  )
}

/** Minimum length of a password. Source: spec §5, §9. */
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 1_024

/** Is a password long enough? Counts code points. */
export const isLongEnough = (password: string): boolean => [...password].length >= PASSWORD_MIN
