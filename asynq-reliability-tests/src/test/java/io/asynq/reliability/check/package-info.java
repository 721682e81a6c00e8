/**
 * What violates an invariant is found, and nothing else.
 */
@NullMarked
package io.asynq.reliability.check;

import org.jspecify.annotations.NullMarked;
