// The one place that knows which library draws
import { Fragment, h, render } from '../vendor/preact.js';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from '../vendor/hooks.js';
import htm from '../vendor/htm.js';

/** @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = htm.bind(h);
export { Fragment, h, render, useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState };
