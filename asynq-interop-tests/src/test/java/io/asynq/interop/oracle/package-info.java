/**
 * The differential oracle: one script of operations, done by Go on one Redis and by our
 * classes on another, whose databases are compared after every operation.
 */
@NullMarked
package io.asynq.interop.oracle;

import org.jspecify.annotations.NullMarked;
