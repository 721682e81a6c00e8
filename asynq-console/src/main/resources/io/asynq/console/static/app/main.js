import { h, render } from './lib.js';
import { Frame } from './frame.js';
import { startLive } from './live.js';
import { startRouter } from './router.js';
import { screens } from './screens/registry.js';
import { startShortcuts } from './shortcuts.js';

startRouter();
startShortcuts(screens);
const app = /** @type {Element} */ (document.getElementById('app'));
// What stands there is for those whose scripts have not come this far
app.replaceChildren();
render(h(Frame, {}), app);
startLive();
