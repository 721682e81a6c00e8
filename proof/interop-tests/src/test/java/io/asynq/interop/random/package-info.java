/**
 * Operations in random order, processed by Go and Java, and the invariants that hold
 * after any order.
 */
@NullMarked
package io.asynq.interop.random;

import org.jspecify.annotations.NullMarked;
