// Draws the walkthrough's pictures in the editor's own colours; `node scripts/media.mjs` after a change.
import { writeFile } from "node:fs/promises";
import path from "node:path";

const media = path.join(path.dirname(import.meta.dirname), "media");
const WIDTH = 520;
const ADVANCE = 9;
const INK = "var(--vscode-editor-foreground,#888)";
const QUIET = "var(--vscode-descriptionForeground,#888)";
const CARD = "var(--vscode-editorWidget-background,#8881)";
const LINE = "var(--vscode-widget-border,var(--vscode-panel-border,#8884))";
const ACCENT = "var(--vscode-charts-green,#3a9)";
const FAULT = "var(--vscode-editorError-foreground,#e54)";

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const card = (x, y, width, height, stroke = LINE) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${CARD}" stroke="${stroke}"/>`;
// Attributes, no styles: the editor takes styles out.
const words = (x, y, text, { fill = INK, weight = 400, anchor = "start" } = {}) =>
  `<text x="${x}" y="${y}" fill="${fill}" font-family="var(--vscode-font-family, sans-serif)" font-size="14" font-weight="${weight}" text-anchor="${anchor}">${escape(text)}</text>`;
// The length is set, so that what is drawn under a word stands under it in every font.
const code = (x, y, text, fill = INK) =>
  `<text x="${x}" y="${y}" fill="${fill}" font-family="var(--vscode-editor-font-family, monospace), monospace" font-size="15" textLength="${text.length * ADVANCE}" lengthAdjust="spacingAndGlyphs">${escape(text)}</text>`;
const squiggle = (x, y, width) =>
  `<path d="M${x} ${y}${"q2.5-5 5 0t5 0".repeat(Math.round(width / 10))}" fill="none" stroke="${FAULT}" stroke-width="1.6"/>`;
const arrow = (x, y) => `<path d="M${x} ${y}h26m-7-6 7 6-7 6" fill="none" stroke="${QUIET}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`;

async function draw(name, height, parts) {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">\n${parts.join("\n")}\n</svg>\n`;
  await writeFile(path.join(media, `${name}.svg`), text);
}

await draw("server", 290, [
  ["benchlint.path", "a program that you name", 10],
  ["interpreter", "the one you have chosen, with benchlint in it", 80],
  ["PATH", "a benchlint that a terminal would find", 150],
  ["own environment", "made once, if you agree", 220],
].flatMap(([title, about, y], index) => [
  card(10, y, 500, 58, index === 3 ? ACCENT : LINE),
  words(30, y + 35, String(index + 1), { fill: QUIET, weight: 600 }),
  words(60, y + 26, title, { weight: 600 }),
  words(60, y + 45, about, { fill: QUIET }),
]));

await draw("open", 210, [
  card(10, 10, 500, 190),
  code(30, 44, '"name": "renew_loan",'),
  code(30, 70, '"arguments": {'),
  code(48, 96, '"loan_id": "L-3505"'),
  squiggle(48 + 12 * ADVANCE, 103, 6 * ADVANCE),
  card(60, 120, 430, 62, FAULT),
  words(76, 146, "unknown-entity", { fill: FAULT, weight: 600 }),
  words(76, 168, "loan L-3505 is not in the database", { fill: INK }),
]);

await draw("fix", 190, [
  card(10, 10, 222, 70),
  code(28, 50, '"renew_lone"', FAULT),
  squiggle(28 + ADVANCE, 58, 10 * ADVANCE),
  arrow(246, 45),
  card(288, 10, 222, 70, ACCENT),
  code(306, 50, '"renew_loan"', ACCENT),
  card(10, 100, 500, 76),
  words(30, 130, "Change the name to \"renew_loan\""),
  words(30, 158, "Suppress unknown-tool for task \"5\"", { fill: QUIET }),
]);

await draw("configure", 220, [
  card(10, 10, 500, 200),
  code(30, 44, "[[benchmark]]", ACCENT),
  code(30, 70, 'tasks = "tasks.json"'),
  code(30, 96, 'policy = "policy.md"'),
  code(30, 136, "[lint]", ACCENT),
  code(30, 162, 'ignore = ["duplicate-task"]'),
]);

await draw("judge", 210, [
  ["description", 8.4, 10],
  ["policy", 6.1, 78],
  ["challenge", 4.2, 146],
].flatMap(([title, score, y]) => [
  card(10, y, 500, 54),
  words(30, y + 33, title, { weight: 600 }),
  `<rect x="150" y="${y + 23}" width="270" height="8" rx="4" fill="${LINE}"/>`,
  `<rect x="150" y="${y + 23}" width="${27 * score}" height="8" rx="4" fill="${ACCENT}"/>`,
  words(490, y + 33, score.toFixed(1), { weight: 600, anchor: "end" }),
]));
