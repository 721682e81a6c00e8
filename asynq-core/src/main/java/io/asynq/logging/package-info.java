/**
 * Loggers whose lines cannot be forged by data.
 */
@NullMarked
package io.asynq.logging;

import org.jspecify.annotations.NullMarked;
