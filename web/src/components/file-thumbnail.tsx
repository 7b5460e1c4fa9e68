import { useEffect, useState } from 'react'

/** A picture that was chosen and is not sent yet, as the browser has it. It is in its memory only while it is shown. */
export function FileThumbnail({ file }: { file: File }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return <img src={url} alt="" className="size-20 shrink-0 rounded-sm bg-ice object-cover" />
}
