/**
 * The console in a real browser, on what Java and Go have written.
 */
@NullMarked
package io.asynq.console.browser;

import org.jspecify.annotations.NullMarked;
