/**
 * Validates the compatibility table.
 */
@NullMarked
package io.asynq.interop.compatibility;

import org.jspecify.annotations.NullMarked;
