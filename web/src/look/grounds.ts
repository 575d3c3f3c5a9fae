/**
 * What the icons of a picture stand on, in four tones of the card's colour: `sky` behind all, `far` in the
 * distance, `soil` to stand on, `near` for what lies on it; `light` for sun, glass and foam. 64 wide, 48 high.
 */
import type { Ground } from "./pictures";

const sky = '<rect class="sky" width="64" height="48"/>';
const sun = '<circle class="light" cx="52" cy="10" r="5.5"/>';
const soil = (top: number) => `<rect class="soil" y="${top}" width="64" height="${48 - top}"/>`;
const path = (tone: string, d: string) => `<path class="${tone}" d="${d}"/>`;
const line = (tone: string, d: string, width = 1) =>
  `<path class="${tone} line" stroke-width="${width}" d="${d}"/>`;

/** An awning over the whole width: stripes with round ends. */
function awning(): string {
  const width = 8;
  let stripes = '<rect class="near" width="64" height="3"/>';
  for (let x = 0; x < 64; x += width) {
    const tone = (x / width) % 2 ? "light" : "near";
    stripes += path(tone, `M${x} 2h${width}v5a${width / 2} ${width / 2} 0 0 1-${width} 0z`);
  }
  return stripes;
}

export const GROUNDS: Readonly<Record<Ground, string>> = {
  field:
    sky +
    sun +
    path("far", "M0 30q16-9 34-4t30-3v12H0z") +
    soil(30) +
    line("near", "M27 30 4 48M30 30l-9 18M33 30l1 18M36 30l11 18M39 30l23 18", 1.4),
  hills:
    sky +
    sun +
    path("far", "M0 32Q14 12 34 28q14-14 30-5v13H0z") +
    path("soil", "M0 35q18-8 36-2t28-2v17H0z"),
  street:
    sky +
    path("far", "M0 36V20h9v-6h8v9h6V12l5-4 5 4v13h7V17h9v5h7v-8h8v22z") +
    soil(36) +
    line("near", "M0 41.5h64", 1),
  shop: sky + path("far", "M0 0h6v40H0zM58 0h6v40h-6z") + awning() + soil(37) + path("near", "M0 37h64v2H0z"),
  terrace:
    sky +
    path("far", "M8 6h20v22H8zM36 6h20v22H36z") +
    line("light", "M18 6v22M8 17h20M46 6v22M36 17h20", 1.2) +
    path("soil", "M0 41q32-10 64 0v7H0z") +
    path("near", "M0 0h64v2l-4 3-4-3-4 3-4-3-4 3-4-3-4 3-4-3-4 3-4-3-4 3-4-3-4 3-4-3-4 3-4-3z"),
  works:
    sky +
    path("light", "M46 6a4 4 0 0 1 7-2 4 4 0 0 1 6 4 3 3 0 0 1-3 3h-8a3 3 0 0 1-2-5z") +
    path("far", "M0 37V19l10-7v7l10-7v7l10-7v25zM44 37V14h5v23zM53 37V18h5v19z") +
    soil(36) +
    line("near", "M0 42h64", 1.2),
  sea:
    sky +
    sun +
    path("far", "M0 24h64v10H0z") +
    path("soil", "M0 33q4-4 8 0t8 0 8 0 8 0 8 0 8 0 8 0 8 0v15H0z") +
    line("light", "M4 41q3-2.5 6 0t6 0M38 38q3-2.5 6 0t6 0M22 46q3-2.5 6 0t6 0M50 45q3-2.5 6 0t6 0", 1),
  rocks:
    sky +
    path("far", "M0 36 14 12l9 13 8-9 12 16 9-12 12 16z") +
    path("soil", "M0 38l12-4 14 3 16-4 22 5v10H0z"),
  plaza:
    sky +
    path("far", "M3 36V17h7v19zM12 36V9h8v27zM23 36V20h6v16zM37 36V14h7v22zM46 36V6h8v30zM56 36V19h6v17z") +
    soil(36) +
    line("near", "M0 40.5h64M0 45h64M16 36l-3 4.5M48 36l3 4.5M32 36v4.5M24 40.5 22 45M40 40.5l2 4.5", 0.8),
  rails:
    sky +
    sun +
    path("far", "M0 34q18-16 36-6t28-4v12H0z") +
    soil(35) +
    line("near", "M0 44h64M0 47h64", 1) +
    line("near", "M4 43v5M12 43v5M20 43v5M28 43v5M36 43v5M44 43v5M52 43v5M60 43v5", 1.6),
  sky:
    sky +
    sun +
    path("light", "M6 15a4 4 0 0 1 6-4 5 5 0 0 1 9 2 3 3 0 0 1 0 6H9a3 3 0 0 1-3-4z") +
    path("far", "M0 36q14-7 32-4t32-3v9H0z") +
    soil(37),
  night:
    '<rect class="dusk" width="64" height="48"/>' +
    path(
      "light",
      "M8 8l1 2 2 1-2 1-1 2-1-2-2-1 2-1zM33 5l.8 1.6 1.6.8-1.6.8-.8 1.6-.8-1.6-1.6-.8 1.6-.8zM57 33l.7 1.4 1.4.7-1.4.7-.7 1.4-.7-1.4-1.4-.7 1.4-.7z",
    ) +
    '<circle class="light" cx="20" cy="17" r=".8"/><circle class="light" cx="43" cy="12" r=".8"/><circle class="light" cx="60" cy="17" r=".8"/>' +
    path("far", "M0 38q20-9 40-4t24-2v16H0z") +
    soil(40),
};
