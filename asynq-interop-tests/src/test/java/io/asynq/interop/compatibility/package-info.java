/**
 * Holds the compatibility table to what it says.
 */
@NullMarked
package io.asynq.interop.compatibility;

import org.jspecify.annotations.NullMarked;
