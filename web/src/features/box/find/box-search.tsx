import { Form } from 'react-router'
import { Button } from '#web/components/button.tsx'
import { InputField } from '#web/components/field.tsx'

/** Finds a box by its number or species; leads to /SFMBox/byId?q=…, with or without script. */
export function BoxSearch({ typed = '' }: { typed?: string }) {
  return (
    <Form
      action="/SFMBox/byId"
      role="search"
      aria-label="Find a box"
      className="flex max-w-xl items-end gap-3"
    >
      <div className="flex-1">
        <InputField
          label="Box number or species"
          name="q"
          type="search"
          defaultValue={typed}
          maxLength={200}
          required
        />
      </div>
      <Button type="submit">Find the box</Button>
    </Form>
  )
}
