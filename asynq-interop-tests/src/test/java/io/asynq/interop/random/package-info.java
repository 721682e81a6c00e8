/**
 * Operations in random order, worked off by Go and Java, and what must hold whatever the
 * order was.
 */
@NullMarked
package io.asynq.interop.random;

import org.jspecify.annotations.NullMarked;
