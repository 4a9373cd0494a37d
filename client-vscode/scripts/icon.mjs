// Draws images/icon.png from images/icon.svg; `node scripts/icon.mjs` after the drawing was changed.
import { Resvg } from "@resvg/resvg-js";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const images = path.join(path.dirname(import.meta.dirname), "images");
const drawing = await readFile(path.join(images, "icon.svg"), "utf8");
await writeFile(path.join(images, "icon.png"), new Resvg(drawing, { fitTo: { mode: "width", value: 256 } }).render().asPng());
