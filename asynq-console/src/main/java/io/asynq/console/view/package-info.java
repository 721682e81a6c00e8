/**
 * What the console shows and does, by screen.
 */
@NullMarked
package io.asynq.console.view;

import org.jspecify.annotations.NullMarked;
