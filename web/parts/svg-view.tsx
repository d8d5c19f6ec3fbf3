import { useEffect, useRef } from 'preact/hooks'

/** A chart in the page. It is parsed as XML, so names in it are always text. */
export function SvgView({ svg, label }: { readonly svg: string; readonly label: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml')
    documentElement.setAttribute('aria-label', label)
    place.current?.replaceChildren(document.importNode(documentElement, true))
  }, [svg, label])
  return <div class="chart" ref={place} />
}
