/** Glyphs that the app's icon set lacks, drawn in its 16 px outline style. */
import type { ReactNode } from 'react'

function Glyph({ size = 16, children }: { size?: number; children: ReactNode }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

export const TerminalGlyph = ({ size = 16 }: { size?: number }) => (
  <Glyph size={size}>
    <rect x="1.6" y="2.6" width="12.8" height="10.8" rx="2.4" />
    <path d="m4.6 6 2.1 2-2.1 2M8.6 10.2h2.8" />
  </Glyph>
)

export const ClearGlyph = () => (
  <Glyph>
    <path d="M3 13.2h10M4.4 10.4 9.8 3l3.4 2.4-5.4 7.4M6.4 7.6l3.4 2.5" />
  </Glyph>
)

export const BellGlyph = ({ size = 16 }: { size?: number }) => (
  <Glyph size={size}>
    <path d="M3.4 11.4h9.2c-1-1-1.3-2.2-1.3-4.2a3.3 3.3 0 0 0-6.6 0c0 2-.3 3.2-1.3 4.2ZM6.8 13.6h2.4" />
  </Glyph>
)

export const FloatGlyph = () => (
  <Glyph>
    <path
      d="M12.4 9.6V4.2a1.6 1.6 0 0 0-1.6-1.6H4.2a1.6 1.6 0 0 0-1.6 1.6v6.6a1.6 1.6 0 0 0 1.6 1.6h2.2"
      opacity=".45"
    />
    <rect x="6.6" y="7" width="7" height="6.4" rx="1.4" />
  </Glyph>
)

export const DockGlyph = () => (
  <Glyph>
    <rect x="2.6" y="2.6" width="10.8" height="10.8" rx="1.8" />
    <path d="M2.6 9.4h10.8" />
  </Glyph>
)

export const MaximiseGlyph = () => (
  <Glyph>
    <path d="M9.6 3h3.4v3.4M13 3 9.4 6.6M6.4 13H3V9.6M3 13l3.6-3.6" />
  </Glyph>
)

export const RestoreGlyph = () => (
  <Glyph>
    <path d="M13 6.4H9.6V3M9.6 6.4 13 3M3 9.6h3.4V13M6.4 9.6 3 13" />
  </Glyph>
)

export const MinimiseGlyph = () => (
  <Glyph>
    <path d="M3.6 8h8.8" />
  </Glyph>
)

export const VisibleGlyph = ({ size = 16 }: { size?: number }) => (
  <Glyph size={size}>
    <path d="M1.6 8s2.3-4.4 6.4-4.4S14.4 8 14.4 8s-2.3 4.4-6.4 4.4S1.6 8 1.6 8Z" />
    <circle cx="8" cy="8" r="1.9" />
  </Glyph>
)

export const HiddenGlyph = ({ size = 16 }: { size?: number }) => (
  <Glyph size={size}>
    <path d="M6.2 3.8A6 6 0 0 1 8 3.6c4.1 0 6.4 4.4 6.4 4.4a11 11 0 0 1-1.9 2.4M4 5.1A11 11 0 0 0 1.6 8S3.9 12.4 8 12.4a6 6 0 0 0 2.6-.6M2.4 2.4l11.2 11.2" />
  </Glyph>
)

export const RemoveGlyph = () => (
  <Glyph size={12}>
    <path d="m3.6 3.6 8.8 8.8M12.4 3.6l-8.8 8.8" />
  </Glyph>
)

export const EditGlyph = () => (
  <Glyph size={14}>
    <path d="m10.6 3 2.4 2.4L6 12.4l-3 .6.6-3L10.6 3Z" />
  </Glyph>
)

export const FilesGlyph = () => (
  <Glyph size={14}>
    <path d="M1.8 12.6V3.8h4l1.6 1.8h6.8v7H1.8Z" />
  </Glyph>
)

export const DownGlyph = () => (
  <Glyph size={12}>
    <path d="m4 6 4 4 4-4" />
  </Glyph>
)

export const MoreGlyph = () => (
  <Glyph>
    <path d="M3.4 8h.01M8 8h.01M12.6 8h.01" strokeWidth="2.2" />
  </Glyph>
)

export const FindGlyph = () => (
  <Glyph>
    <path d="M7 11.6a4.6 4.6 0 1 0 0-9.2 4.6 4.6 0 0 0 0 9.2ZM10.4 10.4l3.2 3.2" />
  </Glyph>
)

export const ArrowGlyph = ({ isDown }: { isDown: boolean }) => (
  <Glyph>
    <path d={isDown ? 'M8 3.4v9.2m3.8-3.8L8 12.6 4.2 8.8' : 'M8 12.6V3.4m3.8 3.8L8 3.4 4.2 7.2'} />
  </Glyph>
)
