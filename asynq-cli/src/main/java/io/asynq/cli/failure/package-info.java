/**
 * Commands for groups of failures.
 */
@NullMarked
package io.asynq.cli.failure;

import org.jspecify.annotations.NullMarked;
