import { z } from 'zod'

/**
 * Control characters except tab and line ends, characters that reorder text (bidi overrides and isolates), and unpaired
 * surrogates, which UTF-8 can't encode.
 */
const UNSAFE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u

/** Text without control characters, bidi characters and unpaired surrogates; tabs and line ends are allowed. */
export const isShowable = (text: string): boolean => !UNSAFE.test(text)

/**
 * Text typed by a person: trimmed, one line, no control or bidi characters, 1 to `max` characters.
 * @param label the field's name in messages
 */
export const line = (label: string, max: number) =>
  z
    .string({ error: ({ input }) => `${label} ${input === undefined ? 'is required' : 'must be text'}` })
    .max(max, `${label} must have at most ${max} characters`)
    .refine(
      (text) => isShowable(text) && !/[\r\n\t]/.test(text),
      `${label} has characters that cannot be shown`,
    )
    .transform((text) => text.trim())
    .refine((text) => text.length > 0, `${label} is required`)

/** Text of several lines, up to `max` characters, may be empty. Rejects the same as `line`, except line ends. */
export const paragraph = (label: string, max: number) =>
  z
    .string({ error: `${label} must be text` })
    .max(max, `${label} must have at most ${max} characters`)
    .refine(isShowable, `${label} has characters that cannot be shown`)
    .transform((text) => text.trim())
