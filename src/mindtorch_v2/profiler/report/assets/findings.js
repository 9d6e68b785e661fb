// Findings in words: what, the evidence, what to do.

import { h } from "./dom.js";
import { percent, time } from "./format.js";

export function findingList(data, links) {
  if (!data.findings.length) return h("p", { class: "muted" }, "Nothing that is known to cost time was found.");
  const whole = data.steps.rows.reduce((sum, row) => sum + row[2], 0);
  return h("ol", { class: "findings" }, data.findings.map((finding) => item(finding, whole, links)));
}

function item(finding, whole, links) {
  const cost = finding.time_ns ? h("span", { class: "cost" }, time(finding.time_ns), h("span", { class: "muted" }, ` · ${percent(finding.time_ns, whole)}`)) : null;
  const show = finding.events.length
    ? h("button", { type: "button", class: "link", onclick: () => links.show(finding.events[0]) }, "Show in timeline") : null;
  return h("li", { class: weight(finding.time_ns, whole) },
    h("h3", null, finding.title, cost),
    h("ul", { class: "evidence" }, finding.evidence.map((line) => h("li", null, line))),
    h("p", { class: "advice" }, finding.advice, " ", show));
}

function weight(part, whole) {
  const share = whole ? part / whole : 0;
  return share >= 0.1 ? "high" : share >= 0.02 ? "medium" : "low";
}
