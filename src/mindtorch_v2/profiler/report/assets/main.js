// The report: read the data, then show its views.

import { compareView } from "./compare.js";
import { readData } from "./decode.js";
import { flameView } from "./flame.js";
import { memoryView } from "./memory.js";
import { modulesView } from "./modules.js";
import { opsView } from "./ops.js";
import { overviewView } from "./overview.js";
import { startTabs } from "./tabs.js";
import { startTheme } from "./theme.js";
import { timelineView } from "./timeline.js";

async function start() {
  startTheme(document.getElementById("theme"));
  const data = await readData(document.getElementById("data"));
  // How one view leads to another; the timeline answers once it is there.
  const links = {
    show: (id) => { links.open("timeline"); links.timeline?.show(id); },
    search: (text) => { links.open("timeline"); links.timeline?.search(text); },
  };
  const tabs = [
    { id: "overview", title: "Overview", show: () => overviewView(data, links) },
    { id: "timeline", title: "Timeline", show: () => timelineView(data, links) },
    { id: "flame", title: "Flame graph", show: () => flameView(data) },
    { id: "ops", title: "Ops", show: () => opsView(data, links) },
    { id: "modules", title: "Modules", show: () => modulesView(data) },
    { id: "memory", title: "Memory", show: () => memoryView(data) },
  ];
  if (data.compare) tabs.push({ id: "compare", title: "Compare", show: () => compareView(data) });
  links.open = startTabs(document.getElementById("tabs"), document.getElementById("panel"), tabs);
  document.documentElement.dataset.ready = "true";
}

start().catch((error) => {
  const panel = document.getElementById("panel");
  panel.textContent = `This report cannot be shown: ${error.message}. It needs a browser of 2023 or later.`;
  document.documentElement.dataset.ready = "failed";
});
