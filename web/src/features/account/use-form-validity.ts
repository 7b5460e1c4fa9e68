import { type RefObject, useEffect, useState } from 'react'

/**
 * Whether the form's values pass `test`, followed as they are typed: for a button that is enabled only then. Also
 * sees what the browser filled in, or the person typed, before the page's script ran.
 */
export function useFormValidity(
  form: RefObject<HTMLFormElement | null>,
  test: (values: Record<string, FormDataEntryValue>) => boolean,
): boolean {
  const [passes, setPasses] = useState(false)
  useEffect(() => {
    const element = form.current
    if (!element) return
    const look = () => setPasses(test(Object.fromEntries(new FormData(element))))
    look()
    element.addEventListener('input', look)
    element.addEventListener('change', look)
    return () => {
      element.removeEventListener('input', look)
      element.removeEventListener('change', look)
    }
  }, [form, test])
  return passes
}
