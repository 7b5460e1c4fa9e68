/** What holds a value in a form. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Whether an element holds a value in a form. */
export const isControl = (element: unknown): element is Control =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLSelectElement ||
  element instanceof HTMLTextAreaElement

/** The values of the named fields of a form, in order; a checkbox as whether it is checked. */
export type FieldTexts = readonly (readonly [name: string, value: string | boolean])[]

const isTyped = (element: unknown): element is Control =>
  isControl(element) && element.name !== '' && element.type !== 'file' && element.type !== 'password'

const isCheckbox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox'

/** The values of the fields of a form, without passwords and files. */
export const textsOf = (form: HTMLFormElement): FieldTexts =>
  [...form.elements]
    .filter(isTyped)
    .map((control) => [control.name, isCheckbox(control) ? control.checked : control.value])

/** Puts texts back into the fields of a form; one that the form does not have any more is left out. */
export function fillTexts(form: HTMLFormElement, texts: FieldTexts): void {
  const fields = [...form.elements].filter(isTyped)
  for (const [name, value] of texts) {
    const at = fields.findIndex((field) => field.name === name)
    const [field] = at < 0 ? [] : fields.splice(at, 1)
    if (!field) continue
    if (isCheckbox(field)) field.checked = value === true
    else typeInto(field, String(value))
  }
}

/** Writes a text as if it were typed: a component that holds the value itself takes it over, too. */
export function typeInto(field: Control, text: string): void {
  if (field.value === text) return
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}
