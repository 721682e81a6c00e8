import { h, render } from './lib.js';
import { Frame } from './frame.js';
import { startLive } from './live.js';
import { startRouter } from './router.js';
import { startShortcuts } from './shortcuts.js';

startRouter();
startShortcuts();
render(h(Frame, {}), /** @type {Element} */ (document.getElementById('app')));
startLive();
