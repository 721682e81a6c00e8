/**
 * Tables as Go's program prints them, and JSON.
 */
@NullMarked
package io.asynq.cli.output;

import org.jspecify.annotations.NullMarked;
