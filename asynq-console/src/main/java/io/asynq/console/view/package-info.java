/**
 * What the console shows, by screen.
 */
@NullMarked
package io.asynq.console.view;

import org.jspecify.annotations.NullMarked;
