/**
 * Read models of the console's screens.
 */
@NullMarked
package io.asynq.console.view;

import org.jspecify.annotations.NullMarked;
