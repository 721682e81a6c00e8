/**
 * Auto-configuration of the console.
 */
@NullMarked
package io.asynq.console.autoconfigure;

import org.jspecify.annotations.NullMarked;
